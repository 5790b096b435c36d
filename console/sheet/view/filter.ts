/** Which rows a sheet shows: part of the owner or the data, a type, only staged or only refused rows. */
import { searchText } from "../../parts/text/names.ts";
import type { RowValues } from "../records/row.ts";

export type Show = "all" | "staged" | "wrong";

export interface Filter {
  /** Part of the owner or the data, in Unicode or A-labels; letter case does not matter. Several words must all be there. */
  readonly text: string;
  readonly type: string;
  readonly show: Show;
}

/** What a row shows, for a filter. */
type Shown = Pick<RowValues, "owner" | "type" | "rdata">;

/**
 * The ends of owners with which a word is their full name, or a part of it that reaches into the zone's: `ftp` for `ftp.zone.example`, with
 * or without the final dot, also while it is not yet written to its end. The zone's own name is that of the apex.
 */
function ownerEnds(word: string, zone: string): string[] {
  const zones = searchText(`${zone}.`).split("\n");
  const isZone = zones.some((name) => word === name || `${word}.` === name);
  const dots = [...word.matchAll(/\./g)].map(({ index }) => index);
  const ends = dots.filter((at) => at > 0 && zones.some((name) => name.startsWith(word.slice(at + 1))));
  return [...ends.map((at) => word.slice(0, at)), ...(isZone ? ["@"] : [])];
}

/** The one word that is searched for where not all records are here, of a full name the owner; the filter of the sheet takes the others. */
export function mainWord(text: string, zone: string): string {
  const [longest = ""] = text.split(/\s+/).toSorted((a, b) => b.length - a.length);
  return ownerEnds(longest.toLowerCase().normalize("NFC"), zone).find((end) => end !== "@") ?? longest;
}

export function matcher({ text, type }: Filter, zone: string): (row: Shown) => boolean {
  const words = text.toLowerCase().normalize("NFC").split(/\s+/).filter(Boolean);
  const ends = words.map((word) => ownerEnds(word, zone).map((end) => `${end}\n`));
  const hasText = ({ owner, rdata }: Shown) => {
    if (words.length === 0) return true;
    const [name, data] = [searchText(owner), searchText(rdata)];
    const hasEnd = (end: string) => `${name}\n`.includes(end);
    return words.every((word, at) => name.includes(word) || data.includes(word) || ends[at]?.some(hasEnd));
  };
  return (row) => (type === "" || row.type === type) && hasText(row);
}

interface Known {
  readonly present: ReadonlySet<string>;
  readonly isComplete: boolean;
  /** The types that the service knows, in the order in which they are offered. */
  readonly offered: readonly string[];
  readonly chosen: string;
}

/** The types by which rows can be filtered: those that are here, and what the zone may have besides. */
export function typeChoices({ present, isComplete, offered, chosen }: Known) {
  const inOrder = offered.filter((type) => present.has(type));
  const unlisted = [...present].filter((type) => !offered.includes(type)).sort();
  const absent = isComplete ? [] : offered.filter((type) => !present.has(type));
  const isUnlisted = chosen !== "" && !present.has(chosen) && !absent.includes(chosen);
  return { present: [...inOrder, ...unlisted], others: isUnlisted ? [...absent, chosen] : absent };
}
