/**
 * Searches of records by a part: of the owner, or of the owner or the data at once. The trigrams of both are in one index
 * (zone_record_search_index), so that either is found by it, where the part has a trigram.
 */
import { type Expression, type RawBuilder, sql } from "kysely";
import { asciiLabels } from "../dns/idna.ts";
import type { Selector } from "../sql/relation.ts";
import { hasTrigram, literalPattern } from "../sql/text-search.ts";

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
}

const read = (part: string): Part => ({ written: part.toLowerCase(), ascii: asciiLabels(part).toLowerCase() });

/** The SQL condition that a text in lower case contains a part in lower case. */
function contains(text: Expression<unknown>, part: string): RawBuilder<boolean> {
  if (!hasTrigram(part)) return sql<boolean>`strpos(${text}, ${part}) > 0`;
  return sql<boolean>`${text} like '%' || ${literalPattern(part)} || '%'`;
}

/** Selects records by parts, given their columns; letter case does not matter. */
export function partSelectors(owner: Expression<unknown>, rdata: Expression<unknown>) {
  const data = sql`lower(${rdata})`;
  return {
    ownerContains: { read, where: ({ ascii }) => contains(owner, ascii) },
    contains: {
      read,
      where: ({ written, ascii }) => {
        const conditions = [contains(owner, ascii), contains(data, written)];
        if (ascii !== written) conditions.push(contains(data, ascii));
        return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
      },
    },
  } satisfies Record<string, Selector<string, Part>>;
}
