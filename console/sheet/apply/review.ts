/**
 * The review of a draft: its difference as a dry run returns it, then the same input applied, and what to do when the answer does not
 * come. Nothing is sent twice without being asked for: with the serial it expects, a change cannot be applied twice either.
 */
import { contentsOf, type DifferenceLine, differenceOf } from "../../difference/difference.ts";
import type { Draft } from "../draft/draft.ts";
import type { Records } from "../records/records.ts";
import { type ChangeResult, isRefusal, type JournalChange, type SheetService } from "../records/sheet-service.ts";
import { type DraftInput, inputOf, type PlacedReasons, placeReasons } from "./input.ts";

/** What a dry run returned, and what it was of. */
export interface Previewed {
  readonly draft: Draft;
  readonly input: DraftInput;
  readonly lines: readonly DifferenceLine[];
  readonly warnings: PlacedReasons;
  readonly result: ChangeResult;
}

/** A change that was committed. */
export interface Committed {
  readonly previewed: Previewed;
  readonly change: { readonly id: string; readonly serial: number };
  /** From sending it to its answer, ms; undefined when the answer was lost. */
  readonly elapsed: number | undefined;
}

export type Review =
  | { readonly phase: "asking"; readonly draft: Draft }
  | { readonly phase: "refused"; readonly draft: Draft; readonly placed: PlacedReasons; readonly message: string }
  | { readonly phase: "unanswered"; readonly draft: Draft }
  | {
      readonly phase: "ready" | "applying" | "lost";
      readonly previewed: Previewed;
      /** Why it was opened again, as a sentence. */
      readonly note?: string;
    }
  | { readonly phase: "committed"; readonly committed: Committed };

/** The outcome of an attempt to apply. */
export type Applied =
  | { readonly kind: "committed"; readonly committed: Committed }
  | { readonly kind: "refused"; readonly placed: PlacedReasons; readonly message: string }
  | { readonly kind: "stale" }
  | { readonly kind: "lost" };

/** Asks for the difference of a draft; throws what the service throws. */
export async function preview(service: SheetService, draft: Draft, records: Records): Promise<Previewed> {
  const input = inputOf(draft, records.serial);
  const result = await service.change(input.input, { dryRun: true });
  const lines = differenceOf(result.removed, result.added, (id) => draft.edits.has(id));
  const warnings = placeReasons(result.notices, input.keys);
  return { draft, input, lines, result, warnings };
}

/** Undoes a change by its id, so that its history says so; where the service finds another change in the way, by its records. */
async function send(service: SheetService, { draft: { undoes }, input: { input } }: Previewed, note: string) {
  try {
    if (undoes !== undefined) return await service.revert(undoes, input.expectedSerial, note);
  } catch (error) {
    if (!isRefusal(error) || error.code !== "CHANGE_CONFLICT") throw error;
  }
  return (await service.change(input, { dryRun: false, note })).change;
}

/** Applies what was previewed, with a note for the journal. `now` is a clock, ms. */
export async function apply(
  service: SheetService,
  previewed: Previewed,
  note: string,
  now: () => number,
): Promise<Applied> {
  const { input, keys } = previewed.input;
  const sent = now();
  try {
    const change = await send(service, previewed, note);
    // Nothing changed: the zone is as the draft wants it.
    const committed = change ?? { id: "", serial: input.expectedSerial };
    return { kind: "committed", committed: { previewed, change: committed, elapsed: now() - sent } };
  } catch (error) {
    if (!isRefusal(error) || error.code === "UNAVAILABLE") return { kind: "lost" };
    if (error.code === "STALE_SERIAL") return { kind: "stale" };
    return { kind: "refused", placed: placeReasons(error.reasons, keys), message: error.message };
  }
}

/** Whether the rows that were read of a change's list are those of the preview, all of them where the list is whole. */
function isList(read: ChangeResult["added"], previewed: ChangeResult["added"], isWhole: boolean): boolean {
  const expected = new Set(contentsOf(previewed));
  const contents = contentsOf(read);
  return contents.every((content) => expected.has(content)) && (!isWhole || contents.length === expected.size);
}

/** Whether a change of the journal is what was previewed. */
function isPreviewed(
  { removed, added, isWhole, previousSerial }: JournalChange,
  { result, input }: Previewed,
): boolean {
  if (previousSerial !== input.input.expectedSerial) return false;
  return isList(removed, result.removed, isWhole) && isList(added, result.added, isWhole);
}

/** What happened to a change whose answer was lost, by the journal. */
export async function findOut(
  service: SheetService,
  previewed: Previewed,
): Promise<Applied | { kind: "not committed" }> {
  const { zone, expectedSerial } = previewed.input.input;
  const { serial, changes } = await service.newestChanges(zone);
  const change = changes.find((each) => isPreviewed(each, previewed));
  if (change) return { kind: "committed", committed: { previewed, change, elapsed: undefined } };
  return serial === expectedSerial ? { kind: "not committed" } : { kind: "stale" };
}
