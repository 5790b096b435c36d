/**
 * Record data of any length, written to cost a careless reader more than its length explains: by type, as a text of `size`
 * characters.
 */
export const hostileTexts: readonly (readonly [string, string, (size: number) => string])[] = [
  ["blanks", "TXT", (size) => `a${" ".repeat(size)}b`],
  ["open parentheses", "TXT", (size) => "(".repeat(size)],
  ["backslashes", "TXT", (size) => "\\".repeat(size)],
  ["one long word", "TXT", (size) => `"${"x".repeat(size)}"`],
  ["many words", "TXT", (size) => `"a" ${"b ".repeat(size / 2)}`],
  ["digits of a number", "MX", (size) => `${"0".repeat(size)}1 a`],
  ["units of a time", "SOA", (size) => `a b 1 ${"1h".repeat(size / 2)} 1 1 1`],
  ["a long name", "NS", (size) => "a.".repeat(size / 2)],
  ["a long label", "NS", (size) => "é".repeat(size)],
  ["hexadecimal", "TLSA", (size) => `1 1 1 ${"00 ".repeat(size / 3)}`],
  ["base64", "DHCID", (size) => "AAAA ".repeat(size / 5)],
  ["types", "CSYNC", (size) => `1 1 ${"TYPE1234 ".repeat(size / 9)}`],
  ["parameters", "SVCB", (size) => `1 . ${"key9=a ".repeat(size / 7)}`],
  ["a template", "SVCB", (size) => `1 . dohpath=/${"{dns".repeat(size / 4)}`],
  ["commas", "SVCB", (size) => `1 . alpn=${"a,".repeat(size / 2)}`],
  ["prefixes", "APL", (size) => "1:0.0.0.0/0 ".repeat(size / 12)],
  ["RFC 3597", "TYPE65280", (size) => `\\# ${size / 2} ${"0".repeat(size)}`],
];
