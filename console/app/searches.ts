/**
 * The search parameters of the pages that have several.
 */
import { moment, oneOf, type Readers, searchOf, serial, text } from "./search-text.ts";

/** What the list of zones is found by; its owner was the user before. */
export const zonesSearch = (search: Record<string, unknown>) =>
  searchOf({
    q: text,
    state: oneOf("LATE", "PENDING", "UNSERVED", "LIVE", "EDITED"),
    owner: text,
    sort: oneOf("ZONE", "ZONE_DESC", "CREATED", "CREATED_DESC", "EXCEPTION"),
    label: text,
    new: oneOf("zone"),
    name: text,
    template: text,
  })({ owner: search.user, ...search });

/** What a sheet shows of its records: `SheetSearch`. */
export const sheetSearch = {
  q: text,
  type: text,
  show: oneOf("staged", "wrong"),
  sort: text,
  undo: text,
  add: text,
  restore: serial,
  import: oneOf("1"),
} satisfies Readers;

/** What all that happened is filtered by: `Origin`. */
const origin = {
  who: text,
  through: oneOf("CONSOLE", "GRAPHQL", "REST", "UPDATE", "IMPORT", "SYSTEM"),
  time: oneOf("1h", "1d", "7d", "30d"),
} satisfies Readers;

/** The same as it was named before. */
const formerOrigin = ({ actor, source, since }: Record<string, unknown>) => ({
  who: actor,
  through: source,
  time: since,
});

/** What Activity is filtered by. */
export const activitySearch = (search: Record<string, unknown>) =>
  searchOf({ kind: oneOf("changes", "reviews", "refused", "access"), zone: text, ...origin })({
    ...formerOrigin(search),
    ...search,
  });

/** What the changes of one zone are filtered by, and which two moments are compared. */
export const zoneHistorySearch = (search: Record<string, unknown>) =>
  searchOf({ name: text, type: text, ...origin, from: moment, to: serial })({
    name: search.owner,
    ...formerOrigin(search),
    ...search,
  });

const ofMoment = searchOf({ q: text, show: oneOf("differs", "here"), at: text });

/** Which records of a moment are shown; a name or data alone was a filter of its own. */
export const momentSearch = (search: Record<string, unknown>) =>
  ofMoment({ q: search.owner ?? search.data, ...search });

/** What a form of a new TSIG key begins with. */
export const tsigSearch = searchOf({ new: oneOf("key"), zones: text, owners: text, types: text });

export const webhookSearch = searchOf({ state: oneOf("WAITING", "DEAD", "DELIVERED") });

export const serverSearch = searchOf({ software: oneOf("KNOT", "BIND", "NSD", "POWERDNS") });
