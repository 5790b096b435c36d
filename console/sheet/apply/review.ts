/**
 * The review of a draft: its difference as a dry run returns it, then the same input applied, and what to do when the answer does not
 * come. Nothing is sent twice without being asked for: with the serial it expects, a change cannot be applied twice either.
 */
import { Refused } from "../../api/run.ts";
import { contentsOf, type DifferenceLine, type DifferenceRow, differenceOf } from "../../difference/difference.ts";
import type { Draft } from "../draft/draft.ts";
import type { Records } from "../records/records.ts";
import type { ChangeName, ChangeResult, JournalChange, SheetService } from "../records/sheet-service.ts";
import { type DraftInput, inputOf, type PlacedReasons, placeReasons } from "./input.ts";

/** What a dry run returned, and what it was of. */
export interface Previewed extends DraftInput {
  readonly draft: Draft;
  readonly lines: readonly DifferenceLine[];
  readonly warnings: PlacedReasons;
  readonly result: ChangeResult;
}

/** A change that was committed; its id is empty when nothing changed. */
export interface Committed {
  readonly change: ChangeName;
  /** The answer to it; undefined when it was lost, or of an undoing. */
  readonly answer?: ChangeResult;
}

export type Review =
  | { readonly phase: "asking" | "unanswered" }
  | {
      readonly phase: "refused";
      readonly placed: PlacedReasons;
      readonly message: string;
      /** Whether it was sent to be applied, and not only looked at. */
      readonly isSent: boolean;
    }
  | {
      readonly phase: "ready" | "applying" | "lost";
      readonly previewed: Previewed;
      readonly note?: string;
    }
  | ({ readonly phase: "committed"; readonly previewed: Previewed } & Committed);

/** Asks for the difference of a draft. Throws what the service throws, as the functions below. */
export async function preview(service: SheetService, draft: Draft, records: Records): Promise<Previewed> {
  const { input, keys } = inputOf(draft, records.serial);
  const result = await service.change(input, { dryRun: true });
  const lines = differenceOf(result.removed, result.added, (id) => draft.edits.has(id));
  return { draft, input, keys, lines, result, warnings: placeReasons(result.notices, keys) };
}

export async function apply(service: SheetService, { draft, input }: Previewed, note: string): Promise<Committed> {
  const unchanged = { id: "", serial: input.expectedSerial };
  try {
    // By its id, so that the history of the change says that it is undone.
    if (draft.undoes !== undefined)
      return { change: (await service.revert(draft.undoes, input.expectedSerial, note)) ?? unchanged };
  } catch (error) {
    // Another change is in the way: it is undone by its records.
    if (!(error instanceof Refused) || error.code !== "CHANGE_CONFLICT") throw error;
  }
  const answer = await service.change(input, { dryRun: false, note });
  return { change: answer.change ?? unchanged, answer };
}

/** The records that a change removes and adds, and how many there are where these are not all; the SOA does not count. */
interface Lists {
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
  readonly removedCount?: number;
  readonly addedCount?: number;
}

/** Whether a change of the journal did what was previewed, as far as both are read. */
const isSame = (done: JournalChange, previewed: Lists) =>
  (["removed", "added"] as const).every((list) => {
    const expected = new Set(contentsOf(previewed[list]));
    const count = previewed[`${list}Count`] ?? expected.size;
    const hasSoa = done[list].some(({ type }) => type === "SOA");
    if (done[`${list}Count`] - Number(hasSoa) !== count) return false;
    return expected.size < count || contentsOf(done[list]).every((content) => expected.has(content));
  });

/** What became of a change of a zone at a serial whose answer was lost, by the journal. Throws what the service throws. */
export async function findOut(
  service: SheetService,
  zone: string,
  expectedSerial: number,
  previewed: Lists,
): Promise<ChangeName | "not committed" | "stale"> {
  const { serial, changes } = await service.newestChanges(zone);
  const change = changes.find(({ previousSerial }) => previousSerial === expectedSerial);
  if (change && isSame(change, previewed)) return change;
  return serial === expectedSerial ? "not committed" : "stale";
}
