/**
 * Search parameters of addresses: plain names and values, so that an address can be read and typed. Nothing in them is believed.
 */ import { readMoment } from "../history/moment/moment.ts";

/** The parameters of a query. A value that is given twice counts once. */
export const parseSearch = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

/** The query of some parameters, without those that are empty. */
export function printSearch(search: Record<string, unknown>): string {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== "" && value !== null);
  const query = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? "" : `?${query}`;
}

/** A parameter that is a text. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A parameter that is one of several. */
export const oneOf =
  <Value extends string>(...values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((each) => each === value);

/** A parameter that is a serial. */
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
export type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

/** Reads the parameters of an address that a page knows; one without a value is left out. */
export const searchOf =
  <Known extends Readers>(readers: Known) =>
  (search: Readonly<Record<string, unknown>>) => {
    const read = Object.entries(readers).map(([name, readerOf]) => [name, readerOf(search[name])] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as {
      [Name in keyof Known]?: Exclude<ReturnType<Known[Name]>, undefined>;
    };
  };
