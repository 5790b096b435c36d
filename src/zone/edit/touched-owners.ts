/**
 * The part of a changed zone that the rules are checked on.
 */
import type { OwnerOrRrset, ZoneView } from "./rules.ts";
import type { EditOfRrset, WorkingRecord } from "./working-copy.ts";

/** Some of the owners that a change touches, with the part of the zone that the rules look at, as it would be. */
export interface TouchedOwners {
  readonly view: ZoneView;
  readonly owners: Iterable<string>;
  /** The records to give advice about. */
  readonly written: Iterable<WorkingRecord>;
  /** The field of the request that a reason about an owner concerns. */
  fieldOf?(owner: string): string | undefined;
  /** The edits of the request that write at one of these owners, or to one of these RRsets. */
  editsOf?(among: readonly OwnerOrRrset[]): readonly EditOfRrset[];
  /** The path in the request of the fields of a written record; undefined of one that the request does not name. */
  pathOf?(record: WorkingRecord): string | undefined;
  /** The line of a master file that a reason about an owner concerns. */
  lineOf?(owner: string): Promise<number | undefined>;
}
