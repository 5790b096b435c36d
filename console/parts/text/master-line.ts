/** One line of a master file (RFC 1035 §5.1): its text, and its comment. */

interface MasterLine {
  readonly text: string;
  /** What is behind the semicolon; undefined without one. */
  readonly comment: string | undefined;
  /** Whether there are parentheses outside of quotes. */
  readonly hasParentheses: boolean;
  /** How many more parentheses outside of quotes it opens than it closes; negative when it closes more. */
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
