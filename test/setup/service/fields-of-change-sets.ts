/**
 * Rows of the matrix of access (test/service/graphql/access.test.ts): the root fields of change sets, and of what makes them.
 */

import { inAnHour } from "../basics/clock.ts";
import type { Fixture } from "./actors.ts";

/** A mutation upon the fixture for each field that the owner of the zones may use. */
const writes: Readonly<Record<string, (fixture: Fixture) => string>> = {
  "Mutation.createChangeSet": (f) =>
    `mutation { createChangeSet(input: { title: "new", zones: [{ zone: "${f.zone}", remove: ["${f.recordId}"] }] }) { changeSet { id } } }`,
  "Mutation.updateChangeSet": (f) =>
    `mutation { updateChangeSet(input: { id: "${f.changeSetId}", title: "other" }) { changeSet { id } } }`,
  "Mutation.stageChanges": (f) =>
    `mutation { stageChanges(input: { id: "${f.changeSetId}", zones: [{ zone: "${f.zone}", delete: true }] }) { changeSet { id } } }`,
  "Mutation.cancelChangeSet": (f) =>
    `mutation { cancelChangeSet(input: { id: "${f.changeSetId}" }) { changeSet { id } } }`,
  "Mutation.submitChangeSet": (f) =>
    `mutation { submitChangeSet(input: { id: "${f.changeSetId}" }) { changeSet { id } } }`,
  "Mutation.withdrawChangeSet": (f) =>
    `mutation { withdrawChangeSet(input: { id: "${f.submittedSetId}" }) { changeSet { id } } }`,
  "Mutation.commentChangeSet": (f) =>
    `mutation { commentChangeSet(input: { id: "${f.changeSetId}", text: "text" }) { changeSet { id } } }`,
  "Mutation.scheduleChangeSet": (f) =>
    `mutation { scheduleChangeSet(input: { id: "${f.changeSetId}", applyAt: "${inAnHour()}", expectedFingerprint: "${f.fingerprint}" }) { changeSet { id } } }`,
  "Mutation.unscheduleChangeSet": (f) =>
    `mutation { unscheduleChangeSet(input: { id: "${f.scheduledSetId}" }) { changeSet { id } } }`,
  "Mutation.applyChangeSet": (f) =>
    `mutation { applyChangeSet(input: { id: "${f.changeSetId}", expectedFingerprint: "${f.fingerprint}" }) { changeSet { id } } }`,
};

type Row<Outcomes> = readonly [Outcomes, (fixture: Fixture) => string];

/** What comes of it for another user, a read-only key of the owner and of the administrator, the owner, and the administrator. */
type Five<Outcomes> = (
  other: Each,
  readOnly: Each,
  readOnlyAdministrator: Each,
  owner: Each,
  administrator: Each,
) => Outcomes;
type Each = "done" | "FORBIDDEN" | "NOT_FOUND" | "INVALID_VALUE" | "WRONG_STATE";

/** The rows, given what comes of it in the usual cases, and how other cases are written. */
export const fieldsOfChangeSets = <Outcomes>({
  lookup,
  list,
  judgement,
  ownersWrite,
  outcomes,
}: Readonly<Record<"lookup" | "list" | "judgement" | "ownersWrite", Outcomes>> & {
  readonly outcomes: Five<Outcomes>;
}): Readonly<Record<string, Row<Outcomes>>> => ({
  ...Object.fromEntries(Object.entries(writes).map(([name, write]) => [name, [ownersWrite, write] as const])),
  "Query.changeSet": [
    lookup,
    (f) => `{ changeSet(id: "${f.changeSetId}") { title zones { nodes { zone edits { nodes { rdata } } } } } }`,
  ],
  "Query.changeSets": [list, () => "{ changeSets(first: 100) { nodes { title zones { nodes { zone } } } } }"],
  "Query.changeSetPreview": [
    lookup,
    (f) => `{ changeSetPreview(id: "${f.changeSetId}") { fingerprint zones { nodes { zone addedCount } } } }`,
  ],
  "Subscription.changeSetChanged": [
    judgement,
    (f) => `subscription { changeSetChanged(id: "${f.changeSetId}") { title zones { nodes { zone } } } }`,
  ],
  "Mutation.reviewChangeSet": [
    // The set is by the administrator, who does not review it.
    outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "done", "FORBIDDEN"),
    (f) =>
      `mutation { reviewChangeSet(input: { id: "${f.submittedSetId}", verdict: APPROVE, fingerprint: "${f.fingerprint}" }) { changeSet { id } } }`,
  ],
  "Mutation.resolveConflicts": [
    // Nothing is in conflict.
    outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "INVALID_VALUE", "INVALID_VALUE"),
    (f) =>
      `mutation { resolveConflicts(input: { id: "${f.changeSetId}", zone: "${f.zone}", resolution: MINE }) { changeSet { id } } }`,
  ],
  "Mutation.restageChangeSet": [
    // Nothing of it was refused.
    outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "WRONG_STATE", "WRONG_STATE"),
    (f) => `mutation { restageChangeSet(input: { id: "${f.changeSetId}" }) { changeSet { id } } }`,
  ],
  "Mutation.editRecords": [
    // It edits what the key sees: of a zone of others, nothing.
    outcomes("done", "FORBIDDEN", "FORBIDDEN", "done", "done"),
    (f) =>
      `mutation { editRecords(input: { filter: { zones: ["${f.zone}"] }, set: { ttl: 60 } }) { changeSet { title } } }`,
  ],
  "Mutation.revertChanges": [
    ownersWrite,
    (f) =>
      `mutation { revertChanges(input: { ids: ["${f.changeId}"], skipConflicts: true, dryRun: true }) { selected } }`,
  ],
});
