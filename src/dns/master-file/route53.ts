/** Reads `aws route53 list-resource-record-sets` as records of a master file. Octal escapes (`\052`) become decimal (RFC 1035 §5.1). */
import { syntaxError } from "../malformed.ts";

interface RecordSet {
  readonly Name?: unknown;
  readonly Type?: unknown;
  readonly TTL?: unknown;
  readonly SetIdentifier?: unknown;
  readonly AliasTarget?: { readonly DNSName?: unknown };
  readonly ResourceRecords?: readonly { readonly Value?: unknown }[];
}

/** Records as text, with the line of their set; `isRouted` when the set answers only some clients. Throws Malformed for other text. */
export function* route53Records(json: string) {
  const lines = linesOfSets(json);
  for (const [at, set] of recordSets(json).entries()) {
    const line = lines[at] ?? 1;
    const isRouted = set.SetIdentifier !== undefined;
    const head = `${decimalEscapes(String(set.Name))}. `.replace("..", ".");
    if (set.AliasTarget) {
      yield { line, text: `${head}AWS ALIAS ${String(set.Type)} ${String(set.AliasTarget.DNSName)}`, isRouted };
      continue;
    }
    for (const { Value } of set.ResourceRecords ?? [])
      yield {
        line,
        text: `${head}${String(set.TTL)} IN ${String(set.Type)} ${decimalEscapes(String(Value))}`,
        isRouted,
      };
  }
}

function recordSets(json: string): readonly RecordSet[] {
  let value: { ResourceRecordSets?: unknown };
  try {
    value = JSON.parse(json);
  } catch {
    throw syntaxError("The text begins as JSON and is not JSON; send a master file or an export of Route 53.");
  }
  const { ResourceRecordSets: sets } = value;
  if (Array.isArray(sets) && sets.every((set) => typeof set?.Name === "string" && typeof set?.Type === "string"))
    return sets;
  const command = "aws route53 list-resource-record-sets --hosted-zone-id ID";
  throw syntaxError(`The text is JSON without ResourceRecordSets; send a master file, or what ${command} prints.`);
}

/** The line of the name of each set. */
function linesOfSets(json: string): number[] {
  const lines: number[] = [];
  let [line, from] = [1, 0];
  for (const { index } of json.matchAll(/"Name"\s*:/g)) {
    for (let at = json.indexOf("\n", from); at !== -1 && at < index; at = json.indexOf("\n", at + 1)) line += 1;
    from = index;
    lines.push(line);
  }
  return lines;
}

const decimalEscapes = (text: string) =>
  text.replace(/\\([0-3][0-7]{2})|\\./gs, (match, octal?: string) =>
    octal === undefined ? match : `\\${String(Number.parseInt(octal, 8)).padStart(3, "0")}`,
  );
