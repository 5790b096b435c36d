/**
 * The service folds what is the same within an hour, page by page. What goes on in the next page is one row here.
 */
import type { ActivityQuery } from "../api/generated/graphql.ts";

/** Something that happened, or the same several times. */
export type Entry = NonNullable<ActivityQuery["activity"]>["entries"][number];

/** What happened, of one type. */
export type NodeOf<Name extends Entry["node"]["__typename"]> = Extract<Entry["node"], { readonly __typename: Name }>;

const hourMs = 3_600_000;

/** The same things again have the same text; undefined for what is never folded. */
function sameness({ kind, node }: Entry): string | undefined {
  if (node.__typename === "Change") return JSON.stringify([kind, node.kind, node.actor, node.zone]);
  if (node.__typename === "UpdateRefusal")
    return JSON.stringify([kind, node.keyName ?? node.address, node.zone, node.code]);
  if (node.__typename !== "AuditEntry") return undefined;
  const { doer, client, operation, about, subjectId, refusedFor, field } = node;
  return JSON.stringify([kind, doer ?? client, operation, about, subjectId, refusedFor, field]);
}

export function foldPages(entries: readonly Entry[]): Entry[] {
  const rows: Entry[] = [];
  const places = new Map<string, number>();
  for (const entry of entries) {
    const same = sameness(entry) ?? "";
    const place = places.get(same) ?? rows.length;
    const row = rows[place];
    if (row && Date.parse(row.at) - Date.parse(entry.at) <= hourMs) {
      rows[place] = { ...row, count: row.count + entry.count, since: entry.since };
    } else {
      if (same) places.set(same, rows.length);
      rows.push(entry);
    }
  }
  return rows;
}
