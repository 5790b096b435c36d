/**
 * $GENERATE, a BIND extension: `range owner [ttl] [class] type data`. In the pattern `$` is the number of the record,
 * `${offset,width,base}` that number plus an offset in a base of d, o, x, X, n or N (nibbles in reverse, for ip6.arpa), and `$$` or `\$` a
 * dollar sign.
 */
import { quote, syntaxError } from "../malformed.ts";

/** A /16 reverse zone of IPv4. */
const maxGenerated = 65_536;

const form = "$GENERATE start-stop[/step] owner [ttl] [class] type data";

/** `text` follows the word $GENERATE. Throws Malformed. */
export function* generatedRecords(text: string): Generator<string> {
  const [, range = "", pattern = ""] = /^\s*(\S+)\s+(\S.*)$/s.exec(text) ?? [];
  const numbers = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(range);
  if (!numbers || pattern === "") throw syntaxError(`$GENERATE cannot be read; write ${form}.`);
  const [start, stop, step] = [numbers[1], numbers[2], numbers[3] ?? "1"].map(Number) as [number, number, number];
  if (start > stop || stop > 2_147_483_647 || step === 0)
    throw syntaxError(`The range ${quote(range)} is not valid; write ${form}, up to 2147483647.`);
  const count = Math.floor((stop - start) / step) + 1;
  if (count > maxGenerated)
    throw syntaxError(
      `$GENERATE would create ${count} records; at most ${maxGenerated} are allowed, so write several directives.`,
    );
  for (let number = start; number <= stop; number += step) yield expand(pattern, number);
}

function expand(pattern: string, number: number): string {
  return pattern.replace(/\\.|\$(?:\$|\{([^}]*)\}|)/gs, (match, modifier?: string) => {
    if (match.startsWith("\\")) return match;
    if (match === "$$") return "\\$";
    return modifier === undefined ? String(number) : modified(number, modifier);
  });
}

/** `offset[,width[,base]]`. */
function modified(number: number, modifier: string): string {
  const [, offset, digits = "0", base = "d"] = /^([+-]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/.exec(modifier) ?? [];
  if (offset === undefined || Number(digits) > 255)
    throw syntaxError(
      `\${${modifier.slice(0, 30)}} is not a modifier; write \${offset,width,base} with a base of d, o, x, X, n or N.`,
    );
  const value = number + Number(offset);
  if (value < 0)
    throw syntaxError(
      `\${${modifier}} changes ${number} to ${value}; write an offset that does not result in a negative number.`,
    );
  const width = Number(digits);
  if (base === "n" || base === "N") return nibbles(value, width, base);
  const text = value.toString({ d: 10, o: 8, x: 16, X: 16 }[base] ?? 10).padStart(width, "0");
  return base === "X" ? text.toUpperCase() : text;
}

/** The hexadecimal digits of a value in reverse order, separated by dots. `width` counts digits and dots. */
function nibbles(value: number, width: number, base: "n" | "N"): string {
  const hex = [...value.toString(16)].reverse();
  while (hex.length * 2 - 1 < width) hex.push("0");
  const text = hex.join(".");
  return base === "N" ? text.toUpperCase() : text;
}
