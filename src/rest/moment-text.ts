/**
 * The zone of a path, present or deleted, and a moment of it in the query: a serial, the id of a change, or a time (RFC
 * 3339). Every id is greater than every serial, so digits are one or the other.
 */
import { Refusal } from "../errors.ts";
import { offsetAdvice, readTime, timeForms } from "../time.ts";
import { queryText, type RestRequest } from "./request.ts";

/** The zone of a path; an id, as digits, selects one zone of the name, also a deleted one. */
export interface ZoneOfRequest {
  readonly zone: string;
  readonly id: string | undefined;
}

export const zoneOfRequest = (
  request: RestRequest & { readonly params: { readonly zone: string } },
): ZoneOfRequest => ({
  zone: request.params.zone,
  id: queryText(request, "id"),
});

export interface MomentOfRequest {
  readonly serial?: number;
  readonly changeId?: number;
  readonly time?: Date;
}

/** The moment in a parameter of the query; undefined without the parameter. */
export function momentOf(request: RestRequest, name: string): MomentOfRequest | undefined {
  const text = queryText(request, name);
  return text === undefined ? undefined : readMomentText(text, name);
}

/** The moment in `at`, `serial` or `time` of the query. `serial` and `time` take only that kind. */
export function pastMomentOf(request: RestRequest): MomentOfRequest | undefined {
  const names = ["at", "serial", "time"].filter((name) => queryText(request, name) !== undefined);
  const [field = "at", other] = names;
  if (other !== undefined)
    throw new Refusal("INVALID_VALUE", `${other}: say when by one of at, serial and time.`, { field: other });
  const moment = momentOf(request, field);
  if (!moment || field === "at" || field in moment) return moment;
  const form = field === "serial" ? "a number from 0 to 4294967295" : timeForms;
  throw new Refusal("INVALID_VALUE", `${field} is no ${field}; write ${form}.`, { field });
}

/** Runs a function that reads moments; its refusals name the parameter of the request, `at` if there is only one. */
export async function withMomentNames<Result>(read: () => Promise<Result>, at = "at"): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.withFieldNames((field) => field.replace(/\.?(serial|changeId|time)$/, "") || at);
  }
}

function readMomentText(text: string, field: string): MomentOfRequest {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number < 2 ** 32) return { serial: number };
  if (Number.isSafeInteger(number)) return { changeId: number };
  const time = readTime(text);
  if (time) return { time };
  const advice = offsetAdvice(text);
  if (advice !== undefined)
    throw new Refusal("INVALID_VALUE", `${field} has no time zone; write ${advice}.`, { field });
  const message = `${field} is no moment; write a serial, the id of a change, or ${timeForms}.`;
  throw new Refusal("INVALID_VALUE", message, { field });
}
