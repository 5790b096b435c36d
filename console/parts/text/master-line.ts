/** One line of a master file (RFC 1035 §5.1): what is before its comment, and the comment. */

interface MasterLine {
  readonly text: string;
  /** What is behind the semicolon; undefined without one. */
  readonly comment: string | undefined;
  /** Whether there are parentheses outside of quotes. */
  readonly hasParentheses: boolean;
  /** How many parentheses outside of quotes it opens and does not close; below 0 where it closes more. */
  readonly depth: number;
}

export function readLine(line: string): MasterLine {
  let isQuoted = false;
  let hasParentheses = false;
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === ";") return { text: line.slice(0, at), comment: line.slice(at + 1), hasParentheses, depth };
    else if (character === "(" || character === ")") {
      hasParentheses = true;
      depth += character === "(" ? 1 : -1;
    }
  }
  return { text: line, comment: undefined, hasParentheses, depth };
}
