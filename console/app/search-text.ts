/**
 * Search parameters of addresses: plain names and values, so that an address can be read and typed. Nothing in them is believed.
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

/** A parameter that is a text. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A parameter that is one of a few. */
export const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
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

/** A parameter that is in the search only when it has a value. */
export function defined<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
