/** One line of a master file (RFC 1035 §5.1): what is before its comment, and the comment. */

export interface MasterLine {
  readonly text: string;
  /** What is behind the semicolon; undefined without one. */
  readonly comment: string | undefined;
  /** Whether there are parentheses outside of quotes. */
  readonly hasParentheses: boolean;
}

export function readLine(line: string): MasterLine {
  let isQuoted = false;
  let hasParentheses = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === ";") return { text: line.slice(0, at), comment: line.slice(at + 1), hasParentheses };
    else if (character === "(" || character === ")") hasParentheses = true;
  }
  return { text: line, comment: undefined, hasParentheses };
}
