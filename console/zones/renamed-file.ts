/**
 * The master file of a zone as that of another: what is at or below the zone's name becomes relative, so that it is at or below the name of
 * the zone that the file is imported into.
 */

/** A quoted text, an unquoted word, or what is between them (RFC 1035 §5.1). */
const parts = /"(?:[^"\\]|\\.)*"?|(?:[^\s"\\]|\\.)+|\s+/g;

/**
 * Makes the owners of an exported file, where each record is one line with absolute names, relative to its zone; with `inData` the names in
 * the data too. `zone` is in A-labels without a trailing dot.
 */
export function relativeFile(text: string, zone: string, inData: boolean): string {
  const relative = (word: string) => relativeName(word, `${zone}.`);
  return text
    .split("\n")
    .map((line) => {
      const [owner = "", ...rest] = line.match(parts) ?? [];
      return relative(owner) + rest.map((part) => (inData && isName(part) ? relative(part) : part)).join("");
    })
    .join("\n");
}

/** Whether a word may be a name: not the value of a parameter (RFC 9460 §2.1), nor a quoted text. */
const isName = (word: string) => !/^["\s]|=/.test(word);

/** A dot within a label is no dot here: an export writes it as \046. */
function relativeName(word: string, origin: string): string {
  if (word === origin) return "@";
  return word.length > origin.length + 1 && word.endsWith(`.${origin}`) ? word.slice(0, -origin.length - 1) : word;
}
