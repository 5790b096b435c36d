/**
 * Moments of a zone as addresses name them, and the order of a zone's changes.
 */
import type { AuthorFragment, MomentInput } from "../../api/generated/graphql.ts";

/** A change, as far as it says who made it, when, and through which interface. */
export type Author = AuthorFragment;

/** A zone by its name, or a deleted one by the id of its domain. */
export type Past = { readonly zone: string } | { readonly deleted: string };

/** Reads a moment of an address: a serial, the id of a change, or a time; undefined for any other text. */
export function readMoment(text: string): MomentInput | undefined {
  // Ids are greater than every serial.
  if (/^\d{1,16}$/.test(text)) return Number(text) < 2 ** 32 ? { serial: Number(text) } : { changeId: text };
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : { time: time.toISOString() };
}

/** The index of the change that made a moment, among changes from the newest on; undefined when it is not among them. */
export function placeOf(changes: readonly Author[], moment: MomentInput | undefined): number | undefined {
  const { serial, changeId, time } = moment ?? {};
  const at = changes.findIndex((change) =>
    time != null ? change.createdAt <= time : changeId != null ? change.id === changeId : change.serial === serial,
  );
  return at === -1 ? undefined : at;
}
