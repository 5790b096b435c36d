/**
 * The state of one sheet outside of React: records, draft, checks, and the review. Components read it after `subscribe` and call its
 * functions; it sends nothing by itself but reads and checks.
 */
import { Refused } from "../../api/run.ts";
import { Checks } from "../apply/checks.ts";
import { type DraftInput, inputOf, placeReasons } from "../apply/input.ts";
import { apply, type Committed, findOut, type Previewed, preview, type Review } from "../apply/review.ts";
import { countStaged, type Draft, emptyDraft } from "../draft/draft.ts";
import { DraftStore, type TextStorage } from "../draft/draft-store.ts";
import { type Outcome, outcomeOf } from "../draft/outcome.ts";
import { type Conflict, conflicts, touchesDraft, withoutSent } from "../draft/rebase.ts";
import { Reader, type TakenIn } from "../records/reader.ts";
import { Records } from "../records/records.ts";
import type { RowValues } from "../records/row.ts";
import type { SheetService } from "../records/sheet-service.ts";
import type { Filter } from "../view/filter.ts";
import { type Sort, type View, viewOf } from "../view/view.ts";
import { LargeZone } from "./large-zone.ts";
import { type Notice, noticeOf } from "./notice.ts";

type Loading = "reading" | "done" | { readonly error: Error };

export class SheetModel {
  readonly zone: string;
  readonly records: Records;
  readonly drafts: DraftStore;
  readonly checks: Checks;
  readonly large: LargeZone;
  /** The TTL of a record that is added without one, as the first of its RRset, seconds. */
  defaultTtl: number;
  loading: Loading = "reading";
  notice: Notice | undefined;
  review: Review | undefined;
  /** Whether the page of the review is shown; it may be left while the change is being applied. */
  isReviewShown = false;
  /** The change whose answer was lost, until its outcome is known, also while no review is open. */
  lost: Previewed | undefined;
  /** How many edits were discarded last, until something is staged again. */
  discarded = 0;
  readonly #service: SheetService;
  readonly #reader: Reader;
  readonly #listeners = new Set<() => void>();
  /** The ids of changes from this sheet, which make no notice. */
  readonly #own = new Set<string>();
  #version = 0;
  #typed: RowValues | undefined;
  #memo:
    | { readonly key: readonly unknown[]; readonly outcome: Outcome; readonly conflicts: readonly Conflict[] }
    | undefined;

  constructor(service: SheetService, settings: SheetSettings) {
    const { zone, fingerprint, storage, defaultTtl, maxRows = largestHeld } = settings;
    const notify = () => this.#notify();
    this.zone = zone;
    this.defaultTtl = defaultTtl;
    this.#service = service;
    this.records = new Records(zone);
    this.drafts = new DraftStore(storage, fingerprint, zone);
    this.checks = new Checks(service, zone, notify);
    this.#reader = new Reader(service, this.records, maxRows, notify);
    this.large = new LargeZone({ service, records: this.records, drafts: this.drafts, reader: this.#reader, notify });
    let { edits, seen } = this.draft;
    this.drafts.subscribe(() => {
      const isNoteAlone = this.draft.edits === edits && this.draft.seen === seen;
      ({ edits, seen } = this.draft);
      if (isNoteAlone) return this.#notify();
      if (edits.size > 0) this.discarded = 0;
      this.#scheduleChecks();
      this.#notify();
      // Without an answer, the review asks again.
      if (this.loading === "done") this.large.readTouched().catch(() => {});
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Differs after every change. */
  readonly version = (): number => this.#version;

  get draft(): Draft {
    return this.drafts.draft;
  }

  get note(): string {
    return this.draft.note ?? "";
  }

  get outcome(): Outcome {
    return this.#derived().outcome;
  }

  /** RRsets that were changed on both sides; known once all their records are here. */
  get conflicts(): readonly Conflict[] {
    return this.#derived().conflicts;
  }

  get conflictKeys(): ReadonlySet<string> {
    return new Set(this.conflicts.flatMap(({ mine }) => mine.map(({ key }) => key)));
  }

  #derived() {
    const key = [this.draft, this.records.version, this.records.isComplete];
    if (!this.#memo?.key.every((part, at) => part === key[at])) {
      const outcome = outcomeOf(this.draft, this.records, this.defaultTtl);
      const isKnown = this.large.isKnown(this.draft);
      this.#memo = { key, outcome, conflicts: isKnown ? conflicts(this.draft, this.records) : [] };
    }
    return this.#memo;
  }

  view(filter: Filter, sort: Sort | undefined): View {
    const wrong = filter.show === "wrong" ? this.checks.wrongKeys(this.draft) : new Set<string>();
    const { records, draft, outcome, defaultTtl } = this;
    return viewOf(records, draft, { filter, sort, outcome, wrong, defaultTtl });
  }

  /** Reads the zone. Throws nothing: `loading` says what is wrong. */
  async load(): Promise<void> {
    this.loading = "reading";
    this.#notify();
    try {
      this.#take(await this.#reader.load());
      this.large.admitLoaded();
      await this.large.readTouched();
      this.loading = "done";
      this.#scheduleChecks();
    } catch (error) {
      this.loading = { error: error as Error };
    }
    this.#notify();
  }

  async follow(serial?: number): Promise<void> {
    // A change from here makes no notice.
    const isApplied = this.review?.phase === "applying" || this.review?.phase === "committed";
    if (!isApplied && !this.lost) await this.#follow(serial);
  }

  async #follow(serial?: number): Promise<void> {
    if (this.loading !== "done") return;
    try {
      const taken = await this.#reader.takeIn(serial);
      await this.large.readTouched();
      this.#take(taken);
      this.#scheduleChecks();
    } catch {
      // The stream says the serial again when the connection is back.
    }
    this.#notify();
  }

  stop(): void {
    this.#reader.stop();
    this.large.stop();
    this.checks.stop();
  }

  #take(changes: TakenIn): void {
    const foreign = changes?.filter(({ id }) => !this.#own.has(id));
    if (foreign?.length === 0) return;
    const rows = foreign?.flatMap(({ added, removed }) => [...added, ...removed]) ?? [];
    this.notice = noticeOf(foreign, touchesDraft(this.draft, rows) || this.conflicts.length > 0);
  }

  dismissNotice(): void {
    this.notice = undefined;
    this.#notify();
  }

  change(edit: (draft: Draft, records: Records) => Draft): void {
    this.drafts.change((draft) => edit(draft, this.records));
  }

  /** Has values that are being written checked before they are staged. */
  type(key: string | undefined, values?: RowValues): void {
    this.#typed = key === undefined ? undefined : values;
    this.#scheduleChecks();
    this.#notify();
  }

  #scheduleChecks(): void {
    if (this.conflicts.length > 0) this.checks.stop();
    else this.checks.schedule(this.draft, this.records.serial, this.#typed);
  }

  discard(): void {
    this.discarded = countStaged(this.draft);
    this.drafts.change(() => emptyDraft(this.zone));
  }

  /** Opens the review of the draft; `note` says why it is opened again. */
  async openReview(note?: string): Promise<void> {
    const { draft, lost } = this;
    if (lost) return this.#setReview({ phase: "lost", previewed: lost });
    if (draft.edits.size === 0 || this.conflicts.length > 0) return this.#setReview(undefined);
    this.#setReview({ phase: "asking" });
    try {
      await this.large.readTouched();
      if (this.conflicts.length > 0) return this.#setReview(undefined);
      const previewed = await preview(this.#service, draft, this.records);
      this.#setReview({ phase: "ready", previewed, ...(note !== undefined && { note }) });
    } catch (error) {
      if (error instanceof Refused) await this.#refused(error, inputOf(draft, 0), false);
      else this.#setReview({ phase: "unanswered" });
    }
  }

  /** Shows why the service refuses a draft; what somebody else changed first is read. */
  async #refused({ code, reasons, message }: Refused, { keys }: DraftInput, isSent: boolean): Promise<void> {
    if (code === "STALE_SERIAL") return this.openAfterChange();
    const placed = placeReasons(reasons, keys);
    this.checks.place(placed);
    this.#setReview({ phase: "refused", placed, message, isSent });
  }

  /** Reads a change that somebody else made first, and opens the review with the new difference. */
  async openAfterChange(): Promise<void> {
    await this.#follow();
    if (this.conflicts.length > 0) return this.#setReview(undefined);
    await this.openReview("The zone was changed meanwhile; this is the difference now. Nothing was applied.");
  }

  closeReview(): void {
    if (this.review?.phase !== "applying") this.#setReview(undefined);
  }

  writeNote(note: string): void {
    this.drafts.mapAll((draft) => (draft.edits.size === 0 ? draft : { ...draft, note }));
  }

  async apply(): Promise<void> {
    const { review } = this;
    if (review?.phase !== "ready") return;
    const { previewed } = review;
    this.#setReview({ phase: "applying", previewed });
    try {
      await this.#committed(previewed, await apply(this.#service, previewed, this.note.trim()));
    } catch (error) {
      if (error instanceof Refused && error.code !== "UNAVAILABLE") return this.#refused(error, previewed, true);
      this.lost = previewed;
      this.#setReview({ phase: "lost", previewed });
    }
  }

  /**
   * Finds out whether a change whose answer was lost was committed; call it again while there is no answer. Returns the outcome as a
   * sentence when no review is open.
   */
  async findOut(): Promise<string | undefined> {
    const { lost } = this;
    if (!lost) return undefined;
    const { expectedSerial } = lost.input;
    const outcome = await findOut(this.#service, this.zone, expectedSerial, lost.result).catch(() => undefined);
    if (this.lost !== lost || !outcome) return undefined;
    if (typeof outcome === "object") {
      await this.#committed(lost, { change: outcome });
      return this.review ? undefined : `Committed as ${outcome.serial}.`;
    }
    this.lost = undefined;
    if (this.review) {
      if (outcome === "stale") await this.openAfterChange();
      else await this.openReview("The answer was lost. It was not committed; apply it again.");
      return undefined;
    }
    await this.#follow();
    const why = outcome === "stale" ? ", since the zone was changed before" : "";
    return `The change was not committed${why}; review it again.`;
  }

  async #committed(previewed: Previewed, committed: Committed): Promise<void> {
    this.#own.add(committed.change.id);
    // From its review one goes on to the page of the change.
    const isReviewed = this.review !== undefined && this.isReviewShown;
    if (!isReviewed) await this.#follow(committed.change.serial);
    this.lost = undefined;
    this.drafts.begin(withoutSent(this.draft, this.records, previewed.draft));
    this.#setReview(isReviewed ? { phase: "committed", previewed, ...committed } : undefined);
  }

  /** Removes edits that are in a change set from the draft; Ctrl+Z brings them back. */
  proposed(sent: Draft): void {
    this.drafts.change((draft) => withoutSent(draft, this.records, sent));
    this.#setReview(undefined);
  }

  #setReview(review: Review | undefined): void {
    this.review = review;
    this.#notify();
  }

  #notify(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

/** How many records a sheet holds, unless its settings say so. */
const largestHeld = 200_000;

interface SheetSettings {
  readonly zone: string;
  /** Fingerprint of the key, under which drafts are kept. */
  readonly fingerprint: string;
  readonly storage: TextStorage;
  readonly defaultTtl: number;
  readonly maxRows?: number;
}
