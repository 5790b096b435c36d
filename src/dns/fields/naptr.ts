/**
 * The substitution expression of NAPTR (RFC 3402 §3.2). BIND drops a zone with a malformed one, so the checks follow BIND. Limitation:
 * collating elements (`[.x.]`) and equivalence classes (`[=x=]`) are refused; they have no use in DNS.
 */

import { checkedString } from "./character-string.ts";
import type { Field } from "./field.ts";

const characterClass = /^\[:(?:alnum|digit|punct|alpha|graph|space|blank|lower|upper|cntrl|print|xdigit):\]/;

/** Splits `!regex!replacement!flags`; undefined for wrong delimiters or flags. */
function parts(text: string): { regex: string; highest: number } | undefined {
  const delimiter = text[0] ?? "";
  if (/[0-9\\i\0]/.test(delimiter) || text.includes("\0")) return undefined;
  const ends: number[] = [];
  let highest = 0;
  for (let at = 1; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === delimiter) {
      ends.push(at);
    } else if (ends.length === 2) {
      if (character !== "i") return undefined;
    } else if (character === "\\") {
      at += 1;
      const next = text[at];
      if (next === undefined || (ends.length === 1 && next === "0")) return undefined;
      if (ends.length === 1 && /[1-9]/.test(next)) highest = Math.max(highest, Number(next));
    }
  }
  return ends.length === 2 ? { regex: text.slice(1, ends[0]), highest } : undefined;
}

/** The end of the bracket expression that opens at `start`; undefined when it is malformed. */
function bracketEnd(regex: string, start: number): number | undefined {
  let at = start + 1;
  if (regex[at] === "^") at += 1;
  let from: string | undefined;
  for (let first = true; at < regex.length; first = false) {
    const character = regex[at] ?? "";
    if (character === "]" && !first) return at;
    if (character === "[" && /[.=:]/.test(regex[at + 1] ?? "")) {
      const named = characterClass.exec(regex.slice(at, at + 12));
      if (!named) return undefined;
      at += named[0].length;
      from = undefined;
    } else if (character === "-" && from !== undefined && regex[at + 1] !== "]") {
      const to = regex[at + 1] ?? "";
      if (to === "" || to === "[" || to < from) return undefined;
      at += 2;
      from = undefined;
      if (regex[at] === "-" && regex[at + 1] !== "]") return undefined;
    } else {
      from = character;
      at += 1;
    }
  }
  return undefined;
}

/** The end of a bound such as `{1,3}` at `start`; undefined when it is malformed or above 255. */
function boundEnd(regex: string, start: number): number | undefined {
  const [bound, low, , high] = /^\{([0-9]{1,9})(,([0-9]{0,9}))?\}/.exec(regex.slice(start, start + 24)) ?? [];
  if (bound === undefined || Number(low) > 255 || Number(high ?? 0) > 255) return undefined;
  if (high && Number(high) < Number(low)) return undefined;
  return start + bound.length - 1;
}

/** Counts the groups of a POSIX extended regular expression; undefined when it is malformed. */
function groups(regex: string): number | undefined {
  let open = 0;
  let count = 0;
  let atom = false;
  let repeated = false;
  let emptyAllowed = false;
  for (let at = 0; at < regex.length; at += 1) {
    const character = regex[at] ?? "";
    if (character === "(") {
      open += 1;
      count += 1;
      [atom, repeated, emptyAllowed] = [false, false, true];
    } else if (character === "|") {
      if (!atom) return undefined;
      [atom, repeated, emptyAllowed] = [false, false, false];
    } else if (character === ")") {
      if (open > 0 && !atom && !emptyAllowed) return undefined;
      open = Math.max(0, open - 1);
      [atom, repeated] = [true, false];
    } else if (/[+*?]/.test(character) || (character === "{" && /[0-9]/.test(regex[at + 1] ?? ""))) {
      if (!atom || repeated) return undefined;
      const end = character === "{" ? boundEnd(regex, at) : at;
      if (end === undefined) return undefined;
      at = end;
      repeated = true;
    } else {
      if (character === "\\") {
        at += 1;
        const next = regex[at];
        if (next === undefined || (/[1-9]/.test(next) && Number(next) > count)) return undefined;
      } else if (character === "[") {
        at = bracketEnd(regex, at) ?? regex.length;
        if (at === regex.length) return undefined;
      }
      atom = true;
      repeated = character === "^" || character === "$";
    }
  }
  return open === 0 && atom ? count : undefined;
}

function isSubstitution(value: Uint8Array): boolean {
  if (value.length === 0) return true;
  const parted = parts(String.fromCharCode(...value));
  const count = parted && groups(parted.regex);
  return parted !== undefined && count !== undefined && parted.highest <= count;
}

/** An empty string or a substitution expression such as `!^.*$!sip:info@example.com!`. */
export function substitution(name: string, description: string): Field<Uint8Array> {
  const range = "an empty text, or delimiter, regular expression, delimiter, replacement, delimiter";
  const fault = "it is not a substitution expression";
  return checkedString([name, description], "substitution", range, isSubstitution, fault);
}
