/** The difference of a review as text to copy: a diff, a master file, a GraphQL request, or the input of nsupdate. */
import type { DifferenceLine, DifferenceRow } from "../../difference/difference.ts";
import { copyText } from "../clipboard/copy.ts";
import type { ChangeInput } from "../records/sheet-service.ts";

const printed = ({ owner, type, ttl, rdata }: DifferenceRow) => `${owner} ${ttl} IN ${type} ${rdata}`;

/** What goes and what comes, line by line. */
function sides(lines: readonly DifferenceLine[]): { readonly sign: "-" | "+"; readonly row: DifferenceRow }[] {
  return lines.flatMap((line) => {
    if (line.kind !== "change") return [{ sign: line.kind === "add" ? ("+" as const) : ("-" as const), row: line.row }];
    return [
      { sign: "-" as const, row: line.from },
      { sign: "+" as const, row: line.row },
    ];
  });
}

export function diffText(lines: readonly DifferenceLine[]): string {
  return sides(lines)
    .map(({ sign, row }) => `${sign}${printed(row)}\n`)
    .join("");
}

/** The records that come, as lines of a master file. */
export function zoneFileText(lines: readonly DifferenceLine[]): string {
  return copyText(sides(lines).flatMap(({ sign, row }) => (sign === "+" ? [row] : [])));
}

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
