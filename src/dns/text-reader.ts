/**
 * Splits the text of record data into words and quoted strings, which keep their escapes (RFC 1035 §5.1). Context "master" is a master
 * file, with comments, and line breaks inside parentheses. Context "field" is an API field, without comments, whose only control character
 * is a tab between words.
 */
import { isIPv4 } from "node:net";
import { clip, Malformed, quote } from "./malformed.ts";
import { type Name, nameText, type ParsedName, readName } from "./name.ts";

type TextContext = "field" | "master";

/** Enough for 65535 octets of data in any spelling. */
export const maxRecordText = 1_000_000;
/** The maximum number of words of valid data: one for each hexadecimal digit, and the fields before them. */
const maxWords = 131_100;
/** Of a name that a message suggests. */
const maxShownName = 150;
const tooLong = "The data is longer than 65535 octets.";

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** `written` was completed to the absolute `name`. */
export interface CompletedName {
  readonly field: string;
  readonly written: string;
  readonly name: string;
}

export interface TextOptions {
  /** The zone, or the current `$ORIGIN`. */
  readonly origin: Name;
  readonly context: TextContext;
  /** For each name of several labels in a master file: its dot was probably forgotten. An API field refuses it. */
  readonly onCompleted?: (completed: CompletedName) => void;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** Without blanks at both ends; a blank after a backslash stays. A line break is a blank only in a master file. */
export function trimmed(text: string, context: TextContext): { start: number; end: number } {
  const isEnd = context === "master" ? isBlank : (code: number) => code === 0x20 || code === 0x09;
  let start = 0;
  let end = text.length;
  while (start < end && isEnd(text.charCodeAt(start))) start += 1;
  while (end > start && isEnd(text.charCodeAt(end - 1))) end -= 1;
  let backslashes = 0;
  while (end - backslashes > start && text[end - backslashes - 1] === "\\") backslashes += 1;
  if (backslashes % 2 === 1 && text[end] === " ") end += 1;
  return { start, end };
}

export class TextReader {
  readonly options: TextOptions;
  /** For messages. */
  field = "rdata";
  /** A quote may open after an equals sign inside a word (`key="a b"`, RFC 9460 §2.1). */
  pairs = false;
  /** Whether the field is the last one; any words after its own word then belong to it. */
  isLast = false;
  readonly #text: string;
  #at: number;
  readonly #end: number;
  #depth = 0;
  #ahead: Token | undefined;
  #taken = 0;

  constructor(text: string, options: TextOptions) {
    if (text.length > maxRecordText) this.#syntax(tooLong);
    this.#text = text;
    this.options = options;
    const { start, end } = trimmed(text, options.context);
    this.#at = start;
    this.#end = end;
  }

  /** Undefined at the end. */
  peek(): Token | undefined {
    this.#ahead ??= this.#scan();
    return this.#ahead;
  }

  token(range: string): Token {
    const token = this.peek();
    this.#taken += 1;
    if (this.#taken > maxWords) this.#syntax(tooLong);
    if (token === undefined) throw new Malformed("rdata", `${this.field} is missing; write ${range}.`, this.field);
    this.#ahead = undefined;
    return token;
  }

  /** The next token, which must not be quoted. */
  word(range: string): string {
    const token = this.token(range);
    if (token.quoted) this.refuse(token.text, `${range}, without quotes`);
    return token.text;
  }

  /** All remaining tokens: parts of one word (RFC 4034 §2.2 ignores blanks inside). */
  words(range: string): string[] {
    return this.list(() => this.word(range));
  }

  /** Up to the end of the text. */
  list<T>(item: (reader: TextReader) => T): T[] {
    const items: T[] = [];
    while (this.peek() !== undefined) items.push(item(this));
    return items;
  }

  name(): Name {
    return this.#name(this.word("a domain name"));
  }

  /** A mailbox as a domain name (RFC 1035 §8). An @ is read as the dot after the local part, whose own dots are escaped. */
  mailbox(): Name {
    const range = "a mailbox such as hostmaster@example.net. or hostmaster.example.net., with the dot at its end";
    const written = this.word(range);
    if (written === "@" || !/^(?:[^@\\]|\\.)*@/s.test(written)) return this.#name(written);
    const [, local, domain] = /^((?:[^@\\]|\\.)+)@((?:[^@\\]|\\.)+)$/s.exec(written) ?? [];
    if (local === undefined || domain === undefined) this.refuse(written, range);
    const name = `${local.replace(/\\.|\./gs, (text) => (text === "." ? "\\." : text))}.${domain}`;
    return this.#name(written, name, 2);
  }

  /** With more than `maxRelative` labels a name is ambiguous: an API field refuses it, a master file reports it. */
  #name(written: string, text = written, maxRelative = 1): Name {
    const { context, onCompleted } = this.options;
    const { name, relativeLabels } = this.#read(text);
    if (relativeLabels <= maxRelative) return name;
    if (context === "field") this.#refuseAmbiguous(written, text);
    onCompleted?.({ field: this.field, written: text, name: nameText(name) });
    return name;
  }

  /** Refuses a relative name that is probably an absolute one without its trailing dot. */
  #refuseAmbiguous(written: string, text: string): never {
    const fullName = clip(`${text}.`, maxShownName);
    const inZone = clip(`${text}.${nameText(this.options.origin)}`, maxShownName);
    if (isIPv4(written))
      throw new Malformed("ambiguous-name", `${this.field} is ${written}; write the name of a host.`, this.field);
    throw new Malformed(
      "ambiguous-name",
      `${this.field} is ${quote(written)}; write ${fullName} for the full name, or ${inZone} for the name in this zone.`,
      this.field,
    );
  }

  #read(written: string): ParsedName {
    try {
      return readName(written, this.options.origin);
    } catch (error) {
      if (!(error instanceof Malformed) || error.reason !== "name") throw error;
      throw new Malformed("rdata", `${this.field}: ${error.message}`, this.field);
    }
  }

  finish(): void {
    const extra = this.peek();
    if (extra !== undefined)
      throw new Malformed(
        "rdata",
        `${quote(extra.text)} follows the last field; remove it, or quote the text it belongs to.`,
      );
  }

  /** Throws Malformed: the value of the field, and what to write instead. */
  refuse(text: string, range: string): never {
    throw new Malformed("rdata", `${this.field} is ${quote(text)}; write ${range}.`, this.field);
  }

  /** In the last field the message also shows the words after this one. */
  refuseWord(word: string, range: string): never {
    return this.refuse([word, ...(this.isLast ? this.#rest() : [])].join(" "), range);
  }

  #rest(): string[] {
    try {
      return this.list((reader) => reader.token("").text);
    } catch {
      return [];
    }
  }

  #syntax(message: string): never {
    throw new Malformed("rdata", message);
  }

  #scan(): Token | undefined {
    while (this.#at < this.#end) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x20 || code === 0x09) this.#at += 1;
      else if (code === 0x28) this.#nest(1);
      else if (code === 0x29) this.#nest(-1);
      else if (code === 0x3b) this.#comment();
      else if (code === 0x0a || code === 0x0d) this.#lineBreak();
      else return code === 0x22 ? this.#quoted() : this.#unquoted();
    }
    if (this.#depth > 0)
      this.#syntax("A parenthesis is not closed; add the closing one, or quote the text it belongs to.");
    return undefined;
  }

  #nest(by: 1 | -1): void {
    this.#depth += by;
    if (this.#depth < 0)
      this.#syntax("A closing parenthesis has no opening one; remove it, or quote the text it belongs to.");
    this.#at += 1;
  }

  #comment(): void {
    if (this.options.context === "field")
      this.#syntax("An unquoted semicolon would begin a comment; quote the text, or write \\; for the character.");
    const lineEnd = this.#text.indexOf("\n", this.#at);
    this.#at = lineEnd === -1 ? this.#end : Math.min(lineEnd, this.#end);
  }

  #lineBreak(): void {
    const crlf = this.#text[this.#at] === "\r";
    const broken = crlf && this.#text[this.#at + 1] !== "\n";
    if (this.options.context === "field" || this.#depth === 0 || broken)
      this.#syntax("The data holds a line break; write it on one line.");
    this.#at += crlf ? 2 : 1;
  }

  #quoted(): Token {
    const start = this.#at + 1;
    this.#skipQuoted();
    this.#endToken();
    return { text: this.#text.slice(start, this.#at - 1), quoted: true };
  }

  #skipQuoted(): void {
    const tabs = this.options.context === "master";
    for (this.#at += 1; this.#at < this.#end; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        this.#at += 1;
        return;
      }
      if (code === 0x5c) this.#skipEscape();
      else if ((code < 0x20 && !(tabs && code === 0x09)) || code === 0x7f) this.#control();
    }
    this.#syntax("A quoted string is not closed; add the closing quote.");
  }

  #unquoted(): Token {
    const start = this.#at;
    for (; this.#at < this.#end; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (isBlank(code) || code === 0x28 || code === 0x29 || code === 0x3b) break;
      if (code === 0x5c) this.#skipEscape();
      else if (code === 0x22) {
        if (!this.pairs || this.#text[this.#at - 1] !== "=") this.#strayQuote();
        this.#skipQuoted();
        this.#endToken();
        break;
      } else if (code < 0x20 || code === 0x7f) this.#control();
    }
    return { text: this.#text.slice(start, this.#at), quoted: false };
  }

  /** Servers disagree whether `"a"b` is one string or two. */
  #endToken(): void {
    const code = this.#at < this.#end ? this.#text.charCodeAt(this.#at) : 0x20;
    if (!isBlank(code) && code !== 0x28 && code !== 0x29 && code !== 0x3b) this.#strayQuote();
  }

  #skipEscape(): void {
    this.#at += 1;
    if (this.#at >= this.#end) this.#syntax("The data ends in a backslash; write \\\\ for the character.");
    const code = this.#text.charCodeAt(this.#at);
    if (code < 0x20 || code === 0x7f) this.#control();
  }

  #strayQuote(): never {
    this.#syntax('A quote is in the middle of a word; write \\" for the character, or a blank between strings.');
  }

  #control(): never {
    const code = String(this.#text.charCodeAt(this.#at)).padStart(3, "0");
    this.#syntax(`The data holds a control character; write it as \\${code} if it belongs there.`);
  }
}
