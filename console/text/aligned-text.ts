/**
 * A zone's master file as it is edited: what the service exports, with owners relative to the zone and each field in a column of its own.
 */

/** The widest column, characters; a longer text pushes the rest of its line. */
const maxColumn = 32;

const widest = (texts: readonly string[]) =>
  texts.reduce((width, { length }) => (length <= maxColumn ? Math.max(width, length) : width), 0);

const relative = (owner: string, zone: string) =>
  owner === `${zone}.` ? "@" : owner.endsWith(`.${zone}.`) ? owner.slice(0, -zone.length - 2) : owner;

/** `text` has one record a line, its fields between tabs, and comments on lines of their own. */
export function alignedText(text: string, zone: string): string {
  const lines = text.split("\n").map((line) => {
    const [owner = "", ttl, type, name, ...data] = line.startsWith(";") ? [] : line.split("\t");
    return name === undefined
      ? line
      : ([relative(owner, zone), ttl, type, name, data.join("\t")] as [string, string, string, string, string]);
  });
  const records = lines.filter((line) => typeof line !== "string");
  const [owners, ttls, , types] = [0, 1, 2, 3].map((at) => widest(records.map((record) => record[at] ?? ""))) as [
    number,
    number,
    number,
    number,
  ];
  const aligned = lines.map((line) => {
    if (typeof line === "string") return line;
    const [owner, ttl, type, name, data] = line;
    return [owner.padEnd(owners), ttl.padStart(ttls), type, name.padEnd(types), data].join("  ");
  });
  return [`$ORIGIN ${zone}.`, ...aligned].join("\n");
}
