/**
 * $GENERATE, an extension of BIND that writes many records of one pattern: `range owner [ttl] [class] type data`, where `$` is the number
 * of the record, `${offset,width,base}` that number plus an offset in a base of d, o, x, X, n or N (nibbles in reverse, for ip6.arpa), and
 * `$$` or `\$` a dollar. Limitation: one directive makes at most `maxGenerated` records.
 */
import { Malformed, quote } from "../malformed.ts";

/** How many records one directive may make: a reverse zone of IPv4 of a /16. */
export const maxGenerated = 65_536;

const form = "$GENERATE start-stop[/step] owner [ttl] [class] type data";

/** The texts of the records that a directive makes, from what follows the word $GENERATE; throws Malformed. */
export function* generatedRecords(text: string): Generator<string> {
  const [, range = "", pattern = ""] = /^\s*(\S+)\s+(\S.*)$/s.exec(text) ?? [];
  const numbers = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(range);
  if (!numbers || pattern === "") refuse(`$GENERATE cannot be read; write ${form}.`);
  const [start, stop, step] = [numbers[1], numbers[2], numbers[3] ?? "1"].map(Number) as [number, number, number];
  if (start > stop || stop > 2_147_483_647 || step === 0)
    refuse(`The range ${quote(range)} is not one; write ${form}, up to 2147483647.`);
  const count = Math.floor((stop - start) / step) + 1;
  if (count > maxGenerated)
    refuse(`$GENERATE would make ${count} records; at most ${maxGenerated} are allowed, so write several of them.`);
  for (let number = start; number <= stop; number += step) yield expand(pattern, number);
}

function refuse(message: string): never {
  throw new Malformed("syntax", message);
}

/** The pattern with this number in place of its dollars. */
function expand(pattern: string, number: number): string {
  return pattern.replace(/\\.|\$(?:\$|\{([^}]*)\}|)/gs, (match, modifier?: string) => {
    if (match.startsWith("\\")) return match;
    if (match === "$$") return "\\$";
    return modifier === undefined ? String(number) : modified(number, modifier);
  });
}

/** The number as `offset[,width[,base]]` wants it. */
function modified(number: number, modifier: string): string {
  const [, offset, digits = "0", base = "d"] = /^([+-]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/.exec(modifier) ?? [];
  if (offset === undefined || Number(digits) > 255)
    refuse(
      `\${${modifier.slice(0, 30)}} is not a modifier; write \${offset,width,base} with a base of d, o, x, X, n or N.`,
    );
  const value = number + Number(offset);
  if (value < 0) refuse(`\${${modifier}} makes ${value} of ${number}; write an offset that leaves no negative number.`);
  const width = Number(digits);
  if (base === "n" || base === "N") return nibbles(value, width, base);
  const text = value.toString({ d: 10, o: 8, x: 16, X: 16 }[base] ?? 10).padStart(width, "0");
  return base === "X" ? text.toUpperCase() : text;
}

/** Hexadecimal digits, the last first, with dots between them; the width counts the dots too. */
function nibbles(value: number, width: number, base: "n" | "N"): string {
  const hex = [...value.toString(16)].reverse();
  while (hex.length * 2 - 1 < width) hex.push("0");
  const text = hex.join(".");
  return base === "N" ? text.toUpperCase() : text;
}
