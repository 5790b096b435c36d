/**
 * Searches of records by a part of the owner, or of the owner or the data. The trigrams of both are in one index
 * (zone_record_search_index), which serves any part that has a trigram. A part that is a whole host name finds the records of that name
 * too. No column has that name, so every division of it into an owner and a zone is tried.
 */

import { asciiLabels } from "../dns/idna.ts";
import { type Name, ownerText, parseName, rootName, zoneNameText } from "../dns/name.ts";
import type { Selector } from "../lists/relation.ts";
import { hasTrigram, literalPattern } from "../lists/text-search.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import { type Sql, sql } from "../sql/sql.ts";

export interface SoughtParts {
  readonly rdataContains?: string | undefined;
  readonly ownerContains?: string | undefined;
  readonly contains?: string | undefined;
}

export function partsOf({ rdataContains, ownerContains, contains: either }: SoughtParts): string[] {
  return [rdataContains, ownerContains, either].filter((part) => part !== undefined);
}

/** A part to search for. Owners and names in data have A-labels, so `ascii` has the labels of `written` as A-labels. */
interface Part {
  readonly written: string;
  readonly ascii: string;
  readonly hosts: Hosts;
}

/** Owners, each with its zone at the same index of the other list. */
export interface Hosts {
  readonly owners: readonly string[];
  readonly zones: readonly string[];
}

const read = (part: string): Part => ({
  written: part.toLowerCase(),
  ascii: asciiLabels(part).toLowerCase(),
  hosts: hostsNamed(part),
});

/** The hosts that a text with a dot can name, with or without the final dot; empty when the text is not a name. */
export function hostsNamed(part: string): Hosts {
  const name = part.includes(".") ? unlessMalformed(() => parseName(part, rootName)) : undefined;
  if (name === undefined) return { owners: [], zones: [] };
  const zones: Name[] = [];
  for (let label = 0; name[label]; label += (name[label] ?? 0) + 1) zones.push(name.subarray(label));
  return { owners: zones.map((zone) => ownerText(name, zone)), zones: zones.map(zoneNameText) };
}

function contains(text: Sql, part: string): Sql<boolean> {
  if (!hasTrigram(part)) return sql<boolean>`strpos(${text}, ${part}) > 0`;
  return sql<boolean>`${text} like '%' || ${literalPattern(part)} || '%'`;
}

const anyOf = (conditions: readonly Sql<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Selects records by parts, ignoring letter case; `isOf` is the condition that a record belongs to one of some hosts. */
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
