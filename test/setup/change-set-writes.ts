/**
 * A mutation of change sets upon the fixture for each field that the owner of the zones may use.
 */
import type { Fixture } from "./actors.ts";
import { inAnHour } from "./clock.ts";

export const changeSetWrites: Readonly<Record<string, (fixture: Fixture) => string>> = {
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
