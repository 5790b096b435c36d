/** What a sheet asks of the service. The page asks by GraphQL (requests.ts); tests answer it themselves. */
import type { ZoneLossFragment } from "../../api/generated/graphql.ts";
import type { DifferenceRow } from "../../difference/difference.ts";
import type { StoredRow } from "./row.ts";

/** A record to add. */
export interface AddInput {
  readonly owner: string;
  readonly type: string;
  readonly rdata: string;
  readonly ttl?: number;
}

/** New content of a record; what is left out stays as it is. */
export type UpdateInput = { readonly recordId: string } & Partial<AddInput>;

export interface ChangeInput {
  readonly zone: string;
  readonly expectedSerial: number;
  readonly remove: readonly string[];
  readonly update: readonly UpdateInput[];
  readonly add: readonly AddInput[];
}

interface RecordsPage {
  readonly serial: number;
  /** Number of records of the zone; only of the first page. */
  readonly total: number | undefined;
  readonly rows: readonly StoredRow[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

/** Records that were searched for. */
interface FoundRecords {
  readonly rows: readonly StoredRow[];
  /** Whether more records match. */
  readonly isCut: boolean;
}

/** A change of the journal, with what it removed and added as far as that was read. */
export interface JournalChange {
  readonly id: string;
  readonly serial: number;
  readonly previousSerial: number | undefined;
  readonly createdAt: string;
  /** Who made it. */
  readonly author: string;
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
  /** Whether all of both lists is here. */
  readonly isWhole: boolean;
}

/** The newest changes of a zone, the newest first. */
interface NewestChanges {
  readonly serial: number;
  readonly changes: readonly JournalChange[];
}

/** The check of one record by itself; the canonical form is of a record that is not refused. */
export interface RowCheck {
  readonly canonical: DifferenceRow | undefined;
  readonly refusals: readonly Reason[];
  /** What is accepted and probably a mistake. */
  readonly notices?: readonly Pick<Reason, "message">[];
}

/** The result of changeRecords. `change` is undefined in a dry run, and when nothing changed. */
export interface ChangeResult {
  readonly change: { readonly id: string; readonly serial: number } | undefined;
  /** The serial of the zone after it; of a dry run the one that it would have, which may be another when a day passes. */
  readonly serial: number;
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
  readonly loss: ZoneLossFragment;
  /** Warnings, each at the edit that it is about. */
  readonly notices: readonly Reason[];
}

/** What a master file would add to a zone. */
export interface FileResult {
  readonly added: readonly DifferenceRow[];
  readonly removed: readonly DifferenceRow[];
  readonly addedCount: number;
  readonly notices: readonly { readonly message: string }[];
}

interface ChangeOptions {
  readonly dryRun: boolean;
  /** Why the change is made, for the journal. */
  readonly note?: string;
  readonly signal?: AbortSignal;
}

/** Every function throws Refused where the service refuses, and Unreachable where it does not answer. */
export interface SheetService {
  page(zone: string, first: number, after: string | undefined, signal: AbortSignal): Promise<RecordsPage>;
  ofOwner(zone: string, owner: string, signal: AbortSignal): Promise<readonly StoredRow[]>;
  /** The first records with a part of the owner or the data and of a type; an empty text stands for any. */
  search(zone: string, text: string, type: string, signal: AbortSignal): Promise<FoundRecords>;
  newestChanges(zone: string, signal?: AbortSignal): Promise<NewestChanges>;
  check(zone: string, rows: readonly AddInput[], signal: AbortSignal): Promise<readonly RowCheck[]>;
  change(input: ChangeInput, options: ChangeOptions): Promise<ChangeResult>;
  /** Undoes a change of a zone at this serial, which its history then says; returns the new one, undefined when nothing changed. */
  revert(id: string, expectedSerial: number, note: string): Promise<ChangeResult["change"]>;
  readFile(zone: string, text: string): Promise<FileResult>;
}

/** Why something is refused, and at which field of the request. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | null | undefined;
  readonly line?: number | null | undefined;
  /** All edits that take part in a reason about the zone as it would be, such as `add.3`. */
  readonly edits?: readonly string[] | null | undefined;
}

/** A refusal of the service, with its reasons. */
interface RefusedError extends Error {
  readonly code: string;
  readonly reasons: readonly Reason[];
}

/** Whether an error is the service's answer, and not the connection's. */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof Error && "code" in error && "reasons" in error;
}
