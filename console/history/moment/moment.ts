/** Moments of a zone as addresses name them, and the order of a zone's changes. */
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

const dayMs = 86_400_000;

/** Where a key leads from a moment among the times of changes, the newest first; undefined for any other key. */
export function placeAfter(
  key: string,
  isDay: boolean,
  times: readonly number[],
  from: number | undefined,
): number | undefined {
  if (key === "Home") return times.length - 1;
  if (key === "End") return 0;
  if (from === undefined || (key !== "ArrowLeft" && key !== "ArrowRight")) return undefined;
  const isBack = key === "ArrowLeft";
  if (!isDay) return isBack ? from + 1 : Math.max(0, from - 1);
  const wanted = (times[from] ?? 0) + (isBack ? -dayMs : dayMs);
  const place = times.findIndex((time) => time <= wanted);
  return isBack ? (place < 0 ? times.length - 1 : place) : Math.max(0, Math.min(place, from - 1));
}
