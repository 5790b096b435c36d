/** The difference of a review as text to copy: a diff, a master file, a GraphQL request, or the input of nsupdate. */
import { type DifferenceLine, type DifferenceRow, sidesOf } from "../../difference/difference.ts";
import { copyText } from "../clipboard/copy.ts";
import type { ChangeInput } from "../records/sheet-service.ts";

const printed = ({ owner, type, ttl, rdata }: DifferenceRow) => `${owner} ${ttl} IN ${type} ${rdata}`;

const sides = (lines: readonly DifferenceLine[]) =>
  lines.flatMap((line) => {
    const { from, to } = sidesOf(line);
    return [...(from ? [{ sign: "-", row: from }] : []), ...(to ? [{ sign: "+", row: to }] : [])];
  });

export const diffText = (lines: readonly DifferenceLine[]) =>
  sides(lines)
    .map(({ sign, row }) => `${sign}${printed(row)}\n`)
    .join("");

export const zoneFileText = (lines: readonly DifferenceLine[]) =>
  copyText(lines.flatMap((line) => sidesOf(line).to ?? []));

export function graphqlText(input: ChangeInput): string {
  const query =
    "mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { serial } notices { message } } }";
  return `${JSON.stringify({ query, variables: { input } }, null, 2)}\n`;
}

/** The input of nsupdate (RFC 2136), without the SOA, whose serial the service gives. */
export function nsupdateText(zone: string, lines: readonly DifferenceLine[]): string {
  const absolute = (owner: string) => (owner === "@" ? `${zone}.` : `${owner}.${zone}.`);
  const commands = sides(lines)
    .filter(({ row }) => row.type !== "SOA")
    .map(({ sign, row: { owner, type, ttl, rdata } }) =>
      sign === "-"
        ? `update delete ${absolute(owner)} ${type} ${rdata}`
        : `update add ${absolute(owner)} ${ttl} ${type} ${rdata}`,
    );
  return `${[`zone ${zone}.`, ...commands, "send"].join("\n")}\n`;
}
