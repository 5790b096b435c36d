/**
 * Searches of records by a part: of the owner, or of the owner or the data at once. The trigrams of both are in one index
 * (zone_record_search_index), so that either is found by it, where the part has a trigram. A part that is the whole name of a host finds
 * the records of that name too, which no column has: by every way to divide it into an owner and a zone.
 */

import { asciiLabels } from "../dns/idna.ts";
import { Malformed } from "../dns/malformed.ts";
import { type Name, ownerText, parseName, rootName, zoneNameText } from "../dns/name.ts";
import type { Selector } from "../lists/relation.ts";
import { hasTrigram, literalPattern } from "../lists/text-search.ts";
import { type Sql, sql } from "../sql/sql.ts";

/** The parts that a filter of records may seek: of the data, of the owner, of either. */
export interface SoughtParts {
  readonly rdataContains?: string | undefined;
  readonly ownerContains?: string | undefined;
  readonly contains?: string | undefined;
}

/** The parts that a filter seeks. */
export function partsOf({ rdataContains, ownerContains, contains: either }: SoughtParts): string[] {
  return [rdataContains, ownerContains, either].filter((part) => part !== undefined);
}

/** A part of a text; labels in Unicode are A-labels in owners and in names inside the data. */
interface Part {
  readonly written: string;
  readonly ascii: string;
  readonly hosts: Hosts;
}

/** Owners, each with the zone that it would be in at the same place of the other list. */
export interface Hosts {
  readonly owners: readonly string[];
  readonly zones: readonly string[];
}

const read = (part: string): Part => ({
  written: part.toLowerCase(),
  ascii: asciiLabels(part).toLowerCase(),
  hosts: hostsNamed(part),
});

/** What a text with a dot can name as a whole, with or without the final dot; nothing when it is no name. */
function hostsNamed(part: string): Hosts {
  const name = part.includes(".") ? nameIn(part) : undefined;
  if (name === undefined) return { owners: [], zones: [] };
  const zones: Name[] = [];
  for (let label = 0; name[label]; label += (name[label] ?? 0) + 1) zones.push(name.subarray(label));
  return { owners: zones.map((zone) => ownerText(name, zone)), zones: zones.map(zoneNameText) };
}

function nameIn(part: string): Name | undefined {
  try {
    return parseName(part, rootName);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** The SQL condition that a text in lower case contains a part in lower case. */
function contains(text: Sql, part: string): Sql<boolean> {
  if (!hasTrigram(part)) return sql<boolean>`strpos(${text}, ${part}) > 0`;
  return sql<boolean>`${text} like '%' || ${literalPattern(part)} || '%'`;
}

/** The SQL condition that one of some conditions holds. */
const anyOf = (conditions: readonly Sql<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Selects records by parts, given their columns and the condition that a record is of one of some hosts; letter case does not matter. */
export function partSelectors(owner: Sql, rdata: Sql, isOf: (hosts: Hosts) => Sql<boolean>) {
  const data = sql`lower(${rdata})`;
  const ofOwner = ({ ascii, hosts }: Part) => [
    contains(owner, ascii),
    ...(hosts.owners.length > 0 ? [isOf(hosts)] : []),
  ];
  return {
    ownerContains: { read, where: (part) => anyOf(ofOwner(part)) },
    contains: {
      read,
      where: (part) => {
        const written = [...new Set([part.written, part.ascii])];
        return anyOf([...ofOwner(part), ...written.map((each) => contains(data, each))]);
      },
    },
  } satisfies Record<string, Selector<string, Part>>;
}
