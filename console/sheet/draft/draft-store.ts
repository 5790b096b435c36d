/**
 * Drafts in the browser's storage, by key fingerprint and zone: they survive a reload, a crash and the end of a sign-in, and the tabs of
 * a browser share them. What was read from storage is only believed as far as its form is right.
 */
import type { RowValues, StoredRow } from "../records/row.ts";
import { countStaged, type Draft, type Edit, emptyDraft } from "./draft.ts";
import { type History, historyOf, redo, step, undo } from "./undo.ts";

export type TextStorage = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

const prefix = "zonesmith.draft.";
/** Before the name of an edited text of a zone (console/text). */
export const textPrefix = "zonesmith.text.";
/** Before the name of a record that is being written (sheet/composer). */
export const composerPrefix = "zonesmith.record.";
const prefixes = [prefix, textPrefix, composerPrefix];
const keyOf = (fingerprint: string, zone: string) => `${prefix}${fingerprint}.${zone}`;

/** A draft as text. `count` comes first, so that a list of drafts is quick to make. */
const printDraft = (draft: Draft) =>
  JSON.stringify({
    count: countStaged(draft),
    form: 1,
    edits: [...draft.edits.values()],
    seen: [...draft.seen],
    note: draft.note,
    undoes: draft.undoes,
    begun: draft.begun,
  });

const isText = (value: unknown): value is string => typeof value === "string";

const isTexts = (value: unknown, ...names: string[]) =>
  names.every((name) => isText((value as Record<string, unknown> | null)?.[name]));
const isStoredRow = (value: unknown): value is StoredRow =>
  isTexts(value, "id", "owner", "type", "rdata") && typeof (value as StoredRow).ttl === "number";
const isValues = (value: unknown): value is RowValues => isTexts(value, "owner", "type", "ttl", "rdata");

function isEdit(value: unknown): value is Edit {
  const edit = value as Partial<Record<string, unknown>> | null;
  if (!isText(edit?.key)) return false;
  if (edit.kind === "add") return isValues(edit.values) && (edit.after === null || isText(edit.after));
  if (edit.kind === "change") return isStoredRow(edit.before) && isValues(edit.values);
  return edit.kind === "remove" && isStoredRow(edit.before);
}

/** What a text is believed to hold before it is looked at. */
interface Printed extends Readonly<Record<"form" | "note" | "undoes" | "begun", unknown>> {
  readonly edits: unknown[];
  readonly seen: [string, unknown[]][];
}

/** The draft that a text holds; an empty one when it holds none that can be read. */
export function parseDraft(text: string | null, zone: string): Draft {
  if (text === null) return emptyDraft(zone);
  try {
    const { form, edits, seen, note, undoes, begun } = JSON.parse(text) as Printed;
    if (form !== 1 || !edits.every(isEdit)) return emptyDraft(zone);
    if (!seen.every(([name, rows]) => isText(name) && rows.every(isStoredRow))) return emptyDraft(zone);
    const byKey = new Map((edits as Edit[]).map((edit) => [edit.key, edit]));
    const words = { ...(isText(note) && { note }), ...(isText(undoes) && { undoes }), ...(isText(begun) && { begun }) };
    return { zone, edits: byKey, seen: new Map(seen as [string, StoredRow[]][]), ...words };
  } catch {
    return emptyDraft(zone);
  }
}

const namesIn = (storage: TextStorage, start: string) =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "")
    .filter((name) => name.startsWith(start))
    .sort();

export function stagedCounts(storage: TextStorage, fingerprint: string): Map<string, number> {
  const start = keyOf(fingerprint, "");
  const counts = namesIn(storage, start).map((name) => {
    const [, count] = /^\{"count":(\d+),/.exec(storage.getItem(name) ?? "") ?? [];
    return [name.slice(start.length), Number(count ?? 0)] as const;
  });
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Forgets all that is kept of a key: its drafts, and what was written into texts of zones and new records. */
export function forgetDrafts(storage: TextStorage, fingerprint: string): void {
  for (const each of prefixes) for (const name of namesIn(storage, `${each}${fingerprint}.`)) storage.removeItem(name);
  notifyOfDrafts();
}

/**
 * Keeps all that is kept of a key under another, as when the first has ended and its person goes on with the other. What is kept of the
 * other already stays as it is.
 */
export function moveDrafts(storage: TextStorage, from: string, to: string): void {
  for (const each of prefixes)
    for (const name of namesIn(storage, `${each}${from}.`)) {
      const moved = name.replace(`${each}${from}.`, `${each}${to}.`);
      if (storage.getItem(moved) !== null) continue;
      storage.setItem(moved, storage.getItem(name) ?? "");
      storage.removeItem(name);
    }
  notifyOfDrafts();
}

const draftListeners = new Set<() => void>();

/** Calls a listener when a draft of this tab is another; other tabs send a storage event. */
export function onDrafts(listener: () => void): () => void {
  draftListeners.add(listener);
  return () => void draftListeners.delete(listener);
}

function notifyOfDrafts(): void {
  for (const listener of draftListeners) listener();
}

/** The draft of one zone in one tab: its steps, and what other tabs write. */
export class DraftStore {
  readonly zone: string;
  /** Whether the browser keeps the draft; its storage may be full or off. */
  isKept = true;
  readonly #storage: TextStorage;
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  #history: History<Draft>;
  #text: string | null;

  constructor(storage: TextStorage, fingerprint: string, zone: string) {
    this.zone = zone;
    this.#storage = storage;
    this.#key = keyOf(fingerprint, zone);
    this.#text = storage.getItem(this.#key);
    this.#history = historyOf(parseDraft(this.#text, zone));
  }

  get draft(): Draft {
    return this.#history.present;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Makes a step from the draft as it is in any tab. */
  change(edit: (draft: Draft) => Draft): void {
    this.readStorage();
    this.#set(step(this.#history, edit(this.draft)));
  }

  undo(): void {
    this.readStorage();
    this.#set(undo(this.#history));
  }

  redo(): void {
    this.readStorage();
    this.#set(redo(this.#history));
  }

  /** Puts another draft in place and forgets the steps, as after the edits were applied. */
  begin(draft: Draft): void {
    this.#set(historyOf(draft));
  }

  mapAll(edit: (draft: Draft) => Draft): void {
    const { past, present, future } = this.#history;
    this.#set({ past: past.map(edit), present: edit(present), future: future.map(edit) });
  }

  /** Takes in what another tab wrote, as a step unless it is a note alone; call it on the storage event too. */
  readStorage(): void {
    const text = this.#storage.getItem(this.#key);
    if (text === this.#text || !this.isKept) return;
    this.#text = text;
    const read = parseDraft(text, this.zone);
    const noted = read.note === undefined ? this.draft : { ...this.draft, note: read.note };
    const isNoteAlone = printDraft(noted) === text;
    this.#history = isNoteAlone ? { ...this.#history, present: noted } : step(this.#history, read);
    this.#notify();
  }

  #set(history: History<Draft>): void {
    if (history === this.#history) return;
    this.#history = history;
    this.#text = this.draft.edits.size === 0 ? null : printDraft(this.draft);
    try {
      if (this.#text === null) this.#storage.removeItem(this.#key);
      else this.#storage.setItem(this.#key, this.#text);
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
    notifyOfDrafts();
  }
}
