/**
 * Search parameters of addresses: plain names and values, so that an address can be read and typed. Nothing in them is believed. Below them
 * are those of the pages that have several.
 */
import { readMoment } from "../history/moment/moment.ts";

/** The parameters of a query. A value that is given twice counts once. */
export const parseSearch = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

/** The query of some parameters, without those that are empty. */
export function printSearch(search: Record<string, unknown>): string {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== "" && value !== null);
  const query = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? "" : `?${query}`;
}

export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const oneOf =
  <Value extends string>(...values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((each) => each === value);

export const serial = (value: unknown): number | undefined =>
  /^\d{1,10}$/.test(String(value)) && Number(value) <= 4_294_967_295 ? Number(value) : undefined;

/** A parameter that is a serial or a time, as addresses name moments. */
export const moment = (value: unknown): string | undefined => {
  const written = String(value);
  return serial(value) === undefined && readMoment(written)?.time == null ? undefined : written;
};

/** A parameter that is a path of the console to lead back to, and nothing else. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === "string" && /^\/console\/(?!sign-in)/.test(value) ? value : undefined;

/** The parameters that a page knows, each with what reads it. */
type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

/** Reads the parameters of an address that a page knows; one without a value is left out. */
export const searchOf =
  <Known extends Readers>(readers: Known) =>
  (search: Readonly<Record<string, unknown>>) => {
    const read = Object.entries(readers).map(([name, readerOf]) => [name, readerOf(search[name])] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as {
      [Name in keyof Known]?: Exclude<ReturnType<Known[Name]>, undefined>;
    };
  };

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

export const activitySearch = (search: Record<string, unknown>) =>
  searchOf({ kind: oneOf("changes", "reviews", "refused", "access"), zone: text, ...origin })({
    ...formerOrigin(search),
    ...search,
  });

export const checkSearch = searchOf({ severity: oneOf("ERROR", "WARNING", "NOTE"), zone: text });

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
