/**
 * Splits a master file into entries: one line each, or several lines inside parentheses (RFC 1035 §5.1), with bounded memory. Limitation: a
 * quoted string ends on its line, as in the name servers, so that a missing quote damages only one record.
 */
import { maxRecordText } from "../text-reader.ts";

/** With the number of its first line, from 1. */
export type Entry = { readonly line: number } & (
  | { readonly text: string }
  | { readonly tooLong: "The line" | "The record" }
);

/** The depth of parentheses at the end of a line that begins at `depth`. Parentheses in escapes, quotes and comments do not count. */
function depthAfter(line: string, depth: number): number {
  if (!/["();\\]/.test(line)) return depth;
  let open = depth;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === ";") break;
    else if (character === "(") open += 1;
    else if (character === ")") open -= 1;
  }
  return Math.max(0, open);
}

export class EntrySplitter {
  #rest = "";
  #lines: string[] = [];
  #size = 0;
  #depth = 0;
  #line = 0;
  #start = 1;
  #skipping = false;

  /** The entries that end in this chunk. */
  *push(chunk: string): Generator<Entry> {
    // An unfinished line is only joined: splitting it with every chunk would cost its length each time.
    if (chunk.includes("\n")) {
      const lines = (this.#rest + chunk).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) yield* this.#endLine(line);
    } else {
      this.#rest += chunk;
    }
    if (this.#rest.length > maxRecordText) {
      if (!this.#skipping) yield { line: this.#line + 1, tooLong: "The line" };
      this.#skipping = true;
      this.#rest = "";
    }
  }

  /** The remaining entry. */
  *end(): Generator<Entry> {
    yield* this.#endLine(this.#rest);
    if (this.#lines.length > 0) yield this.#entry();
  }

  *#endLine(line: string): Generator<Entry> {
    this.#line += 1;
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    if (this.#lines.length === 0) this.#start = this.#line;
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    this.#lines.push(text);
    this.#size += text.length + 1;
    this.#depth = depthAfter(text, this.#depth);
    if (this.#size > maxRecordText) {
      this.#entry();
      yield { line: this.#start, tooLong: "The record" };
    } else if (this.#depth === 0) yield this.#entry();
  }

  #entry(): Entry {
    const text = this.#lines.length === 1 ? (this.#lines[0] ?? "") : this.#lines.join("\n");
    this.#lines = [];
    this.#size = 0;
    this.#depth = 0;
    return { line: this.#start, text };
  }
}
