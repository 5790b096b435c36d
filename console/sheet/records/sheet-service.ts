/** The requests of a sheet. The page sends them by GraphQL (requests.ts); tests answer them. */
import type { ZoneLossFragment } from "../../api/generated/graphql.ts";
import type { DifferenceRow } from "../../difference/difference.ts";
import type { StoredRow } from "./row.ts";

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

/** A change of the journal, with the removed and added records that were read. */
export interface JournalChange {
  readonly id: string;
  readonly serial: number;
  readonly previousSerial: number | undefined;
  readonly createdAt: string;
  readonly author: string;
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
  /** Whether both lists are complete. */
  readonly isWhole: boolean;
}

/** The newest changes of a zone, the newest first. */
interface NewestChanges {
  readonly serial: number;
  readonly changes: readonly JournalChange[];
}

/** The check of one record by itself; a refused record has no canonical form. */
export interface RowCheck {
  readonly canonical: DifferenceRow | undefined;
  readonly refusals: readonly Reason[];
  /** What is accepted although it is probably a mistake. */
  readonly notices?: readonly Pick<Reason, "message">[];
}

/** The result of changeRecords. `change` is undefined in a dry run, and when nothing changed. */
export interface ChangeResult {
  readonly change: { readonly id: string; readonly serial: number } | undefined;
  /** The serial of the zone afterwards; of a dry run an expectation, since serials have the day in them. */
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
  readonly notices: readonly Pick<Reason, "code" | "message">[];
}

interface ChangeOptions {
  readonly dryRun: boolean;
  /** Why the change is made, for the journal. */
  readonly note?: string;
  readonly signal?: AbortSignal;
}

/** Every function throws Refused where the service refuses, and Unreachable where it does not answer. */
export interface SheetService {
  /** A page of records; `withChanges` asks for the last change of each. */
  page(
    zone: string,
    first: number,
    after: string | undefined,
    withChanges: boolean,
    signal: AbortSignal,
  ): Promise<RecordsPage>;
  ofOwner(zone: string, owner: string, signal: AbortSignal): Promise<readonly StoredRow[]>;
  /** The first records with a part of the owner or the data and of a type; an empty text stands for any. */
  search(zone: string, text: string, type: string, signal: AbortSignal): Promise<FoundRecords>;
  newestChanges(zone: string, signal?: AbortSignal): Promise<NewestChanges>;
  check(zone: string, rows: readonly AddInput[], signal: AbortSignal): Promise<readonly RowCheck[]>;
  change(input: ChangeInput, options: ChangeOptions): Promise<ChangeResult>;
  /** Undoes a change by its id, if the zone is at this serial; returns the new change, undefined when nothing changed. */
  revert(id: string, expectedSerial: number, note: string): Promise<ChangeResult["change"]>;
  readFile(zone: string, text: string): Promise<FileResult>;
}

/** A reason of a refusal, with the field of the request. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | null | undefined;
  /** The field of the data, as the service names it. */
  readonly part?: string | null | undefined;
  readonly line?: number | null | undefined;
  /** The edits that cause a reason about the whole zone, such as `add.3`. */
  readonly edits?: readonly string[] | null | undefined;
}

/** A refusal of the service, with its reasons. */
interface RefusedError extends Error {
  readonly code: string;
  readonly reasons: readonly Reason[];
}

/** Whether an error is a refusal of the service, not of the connection. */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof Error && "code" in error && "reasons" in error;
}
