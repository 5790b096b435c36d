/**
 * Differences: removed lines are red, added ones green, headings of RRsets cyan; plain away from a terminal, and with NO_COLOR.
 */

export interface RrsetDiff {
  readonly owner: string;
  readonly type: string;
  readonly lines: readonly { readonly op: "REMOVED" | "ADDED"; readonly ttl: number; readonly rdata: string }[];
}

/** Whether a stream takes colours: a terminal, unless NO_COLOR is set (no-color.org). */
export const wantsColour = ({ isTTY }: { readonly isTTY?: boolean }, { NO_COLOR = "" }: NodeJS.ProcessEnv) =>
  isTTY === true && NO_COLOR === "";

const colours: Readonly<Record<string, string>> = { "-": "31", "+": "32", "@": "36" };

/** A line of a difference in its colour; headings are bold. */
export function colouredLine(line: string, isColoured: boolean): string {
  const code = /^(---|\+\+\+) /.test(line) ? "1" : colours[line[0] ?? ""];
  return isColoured && code !== undefined ? `\x1b[${code}m${line}\x1b[0m` : line;
}

export function printDifference(rrsets: readonly RrsetDiff[], isColoured: boolean): void {
  for (const { owner, type, lines } of rrsets) {
    console.log(colouredLine(`@@ ${owner} ${type} @@`, isColoured));
    for (const { op, ttl, rdata } of lines)
      console.log(colouredLine(`${op === "REMOVED" ? "-" : "+"}${owner} ${ttl} IN ${type} ${rdata}`, isColoured));
  }
}
