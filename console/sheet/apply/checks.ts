/**
 * What the service says of staged rows while they are written, in two steps: each row by itself, 150 ms after the last key, and when
 * those are well formed the whole zone as a dry run, 600 ms later. A request is cancelled when a newer one replaces it.
 */
import { Refused } from "../../api/run.ts";
import type { Draft } from "../draft/draft.ts";
import { columnOf, type RowValues } from "../records/row.ts";
import type { AddInput, RowCheck, SheetService } from "../records/sheet-service.ts";
import { addInput, inputOf, type PlacedReasons, placeReasons, ttlProblem } from "./input.ts";
import { type Problem, problemAt, sheetSentence } from "./sentences.ts";

/** Pauses before the two steps, ms. */
const rowPause = 150;
const zonePause = 600;
const maxChecked = 1000;

const textOf = (row: AddInput) => JSON.stringify([row.owner, row.type, row.ttl, row.rdata]);

const noReasons: PlacedReasons = { rows: new Map(), rest: [] };

export class Checks {
  readonly #service: SheetService;
  readonly #zone: string;
  readonly #notify: () => void;
  readonly #rows = new Map<string, RowCheck>();
  #whole = noReasons;
  #warnings = noReasons;
  #wholeText = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = new AbortController();

  constructor(service: SheetService, zone: string, notify: () => void) {
    this.#service = service;
    this.#zone = zone;
    this.#notify = notify;
  }

  /** Reasons of the whole zone that are about no row. */
  get rest(): readonly string[] {
    return this.#whole.rest;
  }

  /** What is probably a mistake in a row: of the record by itself, and by the last dry run of the zone. */
  warnings(key: string, values: RowValues): readonly string[] {
    const all = [...(this.of(values)?.notices ?? []), ...(this.#warnings.rows.get(key) ?? [])];
    return [...new Set(all.map(({ message }) => sheetSentence(message)))];
  }

  /** The check of such a row; undefined while it is not known. */
  of(values: RowValues): RowCheck | undefined {
    return this.#rows.get(textOf(addInput(values)));
  }

  /** What is wrong with a staged row; `isFresh` leaves out what the whole zone said of the row as it was. */
  problems(key: string, values: RowValues): readonly Problem[] {
    const ttl = ttlProblem(values.ttl);
    const own = this.of(values)?.refusals.map((reason) => problemAt(columnOf(reason.field), reason)) ?? [];
    const all = ttl === undefined ? own : [{ column: "ttl" as const, message: ttl }, ...own];
    return all.length > 0 ? all : (this.#whole.rows.get(key) ?? []);
  }

  wrongKeys(draft: Draft): Set<string> {
    const wrong = new Set(this.#whole.rows.keys());
    for (const edit of draft.edits.values()) {
      if (edit.kind === "remove") continue;
      if (this.problems(edit.key, edit.values).length > 0) wrong.add(edit.key);
    }
    for (const key of wrong) if (!draft.edits.has(key)) wrong.delete(key);
    return wrong;
  }

  place(placed: PlacedReasons): void {
    this.#whole = placed;
    this.#wholeText = "";
    this.#notify();
  }

  /** Checks what is staged, and the row that is being written, after the pause. */
  schedule(draft: Draft, serial: number, typed: RowValues | undefined): void {
    const input = JSON.stringify(inputOf(draft, serial).input);
    if (input !== this.#wholeText && this.#wholeText !== "") {
      this.#wholeText = "";
      this.#whole = noReasons;
      this.#warnings = noReasons;
    }
    this.stop();
    if (draft.edits.size === 0 && !typed) return;
    this.#timer = setTimeout(() => void this.#check(draft, serial, typed), rowPause);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#request = new AbortController();
  }

  /** Checks rows at once and remembers the results; used for rows that are pasted. */
  async checkRows(rows: readonly RowValues[], signal?: AbortSignal): Promise<readonly RowCheck[]> {
    const inputs = rows.map(addInput);
    const unknown = [...new Map(inputs.filter((row) => !this.#rows.has(textOf(row))).map((row) => [textOf(row), row]))];
    for (let at = 0; at < unknown.length; at += maxChecked) {
      const part = unknown.slice(at, at + maxChecked);
      const checks = await this.#service.check(
        this.#zone,
        part.map(([, row]) => row),
        signal ?? this.#request.signal,
      );
      for (const [index, [text]] of part.entries()) {
        const check = checks[index];
        if (check) this.#rows.set(text, check);
      }
    }
    return inputs.map((row) => this.#rows.get(textOf(row)) ?? { canonical: undefined, refusals: [] });
  }

  async #check(draft: Draft, serial: number, typed: RowValues | undefined): Promise<void> {
    const { signal } = this.#request;
    const edits = [...draft.edits.values()];
    const staged = edits.flatMap((edit) => (edit.kind === "remove" ? [] : [edit.values]));
    try {
      await this.checkRows(typed ? [...staged, typed] : staged, signal);
      if (signal.aborted) return;
      this.#notify();
      if (edits.length === 0 || edits.length > maxChecked || this.wrongKeys(draft).size > this.#whole.rows.size) return;
      this.#timer = setTimeout(() => void this.#checkZone(draft, serial, signal), zonePause);
    } catch {
      // Without an answer a row is not known to be right or wrong; the review asks again, and says so.
    }
  }

  async #checkZone(draft: Draft, serial: number, signal: AbortSignal): Promise<void> {
    const { input, keys } = inputOf(draft, serial);
    this.#wholeText = JSON.stringify(input);
    try {
      const { notices } = await this.#service.change(input, { dryRun: true, signal });
      this.#whole = noReasons;
      this.#warnings = placeReasons(notices, keys);
    } catch (error) {
      // A stale serial is followed by the event of the change.
      if (signal.aborted || !(error instanceof Refused) || error.code === "STALE_SERIAL") return;
      this.#whole = placeReasons(error.reasons, keys);
      this.#warnings = noReasons;
    }
    this.#notify();
  }
}
