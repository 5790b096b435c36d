/**
 * Differences on a terminal: what is gone in red, what has come in green, who did it in cyan. Elsewhere, and with NO_COLOR, plain.
 */

/** An RRset that differs, as the service sends it. */
export interface RrsetDiff {
  readonly owner: string;
  readonly type: string;
  readonly lines: readonly { readonly op: "REMOVED" | "ADDED"; readonly ttl: number; readonly rdata: string }[];
}

/** Whether what is printed there is in colour: on a terminal, unless NO_COLOR is set (no-color.org). */
export const wantsColour = ({ isTTY }: { readonly isTTY?: boolean }, { NO_COLOR = "" }: NodeJS.ProcessEnv) =>
  isTTY === true && NO_COLOR === "";

const colours: Readonly<Record<string, string>> = { "-": "31", "+": "32", "@": "36" };

/** A line of a difference in its colour; headings are bold. */
export function colouredLine(line: string, isColoured: boolean): string {
  const code = /^(---|\+\+\+) /.test(line) ? "1" : colours[line[0] ?? ""];
  return isColoured && code !== undefined ? `\x1b[${code}m${line}\x1b[0m` : line;
}

/** Prints what a change would do, RRset by RRset. */
export function printDifference(rrsets: readonly RrsetDiff[], isColoured: boolean): void {
  for (const { owner, type, lines } of rrsets) {
    console.log(colouredLine(`@@ ${owner} ${type} @@`, isColoured));
    for (const { op, ttl, rdata } of lines)
      console.log(colouredLine(`${op === "REMOVED" ? "-" : "+"}${owner} ${ttl} IN ${type} ${rdata}`, isColoured));
  }
}
