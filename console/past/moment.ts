/**
 * Moments of a zone as addresses name them, and the order of a zone's changes.
 */
import type { AuthorFragment, MomentInput } from "../api/generated/graphql.ts";

/** A change, as far as it says who made it, when, and through which interface. */
export type Author = AuthorFragment;

/** What has a past: a zone by its name, or a deleted one by the id that its domain had. */
export type Past = { readonly zone: string } | { readonly deleted: string };

/** Reads a moment of an address: a serial, the id of a change, or a time; undefined for any other text. */
export function readMoment(text: string): MomentInput | undefined {
  // Ids are greater than every serial.
  if (/^\d{1,16}$/.test(text)) return Number(text) < 2 ** 32 ? { serial: Number(text) } : { changeId: text };
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : { time: time.toISOString() };
}

/** The changes of a deleted zone, the newest first, among those of all zones that had its name: back to its creation, or to its restoration. */
export function lifeOf<Listed extends Pick<Author, "kind" | "serial">>(
  changes: readonly Listed[],
  lastSerial: number,
): { readonly changes: readonly Listed[]; readonly isWhole: boolean } {
  const deletion = changes.findIndex(({ kind, serial }) => kind === "DELETE" && serial === lastSerial);
  if (deletion === -1) return { changes: [], isWhole: false };
  const life = changes.slice(deletion + 1);
  const begin = life.findIndex(({ kind }) => kind === "CREATE" || kind === "RESTORE");
  return begin === -1 ? { changes: life, isWhole: false } : { changes: life.slice(0, begin + 1), isWhole: true };
}

/** The place of the change that left a zone as it was at a moment, among its changes, the newest first; undefined where it is not there. */
export function placeOf(changes: readonly Author[], moment: MomentInput | undefined): number | undefined {
  const { serial, changeId, time } = moment ?? {};
  const at = changes.findIndex((change) =>
    time != null ? change.createdAt <= time : changeId != null ? change.id === changeId : change.serial === serial,
  );
  return at === -1 ? undefined : at;
}
