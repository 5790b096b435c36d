/**
 * `revert --by` and `revert --changeset`: many changes are undone by one command, which shows first what it would do.
 */
import type { Command } from "commander";
import { timeOf } from "../rows/history-rows.ts";
import { callGraphql, RefusedError } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { print } from "../terminal/print.ts";
import { applyDraft } from "./apply-draft.ts";
import { type Preview, previewFields, printPreview, type Terminal } from "./preview.ts";

const reverted = "selectedCount alreadyRevertedCount conflicts { zone message }";
export const revertManyDocument = `mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { ${reverted} changeSet { id } } }`;
export const dryRevertManyDocument = `mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { ${reverted} preview { ${previewFields} } } }`;

/** Which changes are undone, and how. */
export interface ManyOptions {
  readonly by?: string;
  readonly changeset?: string;
  readonly since?: string;
  readonly zones?: readonly string[];
  readonly skipConflicts?: boolean;
  readonly note?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface Reverted {
  readonly selectedCount: number;
  readonly alreadyRevertedCount: number;
  readonly conflicts: readonly { readonly zone: string; readonly message: string }[];
  readonly changeSet?: { readonly id: string } | null;
  readonly preview?: Preview | null;
}

/** A refusal because of later changes, with the option that leads past it. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof RefusedError) || error.body.error !== "CHANGE_CONFLICT") return error;
  return new RefusedError(error.body, ["--skip-conflicts leaves these as they are, and undoes the others."]);
}

/** Undoes the changes of an actor since a time, or those of a change set. */
export async function revertMany(terminal: Terminal, options: ManyOptions, command: Command): Promise<void> {
  const { by, changeset, since, zones, note, skipConflicts = false, dryRun = false, json = false } = options;
  if (by !== undefined && (since === undefined || changeset !== undefined))
    command.error("error: --by goes with --since, and without --changeset", { exitCode: 2 });
  const selection =
    by === undefined ? { changeSetId: changeset } : { filter: { actor: by, createdSince: timeOf(since as string) } };
  const input = { by: selection, zones, title: note, skipConflicts, dryRun };
  const { revertChanges } = await callGraphql<{ revertChanges: Reverted }>(
    terminal.endpoint(),
    dryRun ? dryRevertManyDocument : revertManyDocument,
    { input },
  ).catch((error) => Promise.reject(withAdvice(error)));
  const { selectedCount, alreadyRevertedCount, conflicts, changeSet, preview } = revertChanges;
  if (!json) {
    const undone = alreadyRevertedCount > 0 ? `; ${alreadyRevertedCount} of them undone already` : "";
    console.log(`${selectedCount} ${selectedCount === 1 ? "change is" : "changes are"} selected${undone}.`);
    for (const { zone, message } of conflicts) console.log(`left out: ${zone}: ${message}`);
    if (preview) printPreview(preview, terminal);
  }
  if (changeSet) return applyDraft(terminal, changeSet.id, options);
  print(json, revertChanges, "Nothing was changed.");
  if (preview ? !preview.applicable : conflicts.length > 0) process.exitCode = exitCodes.stale;
  else if (!preview) process.exitCode = exitCodes.nothingToDo;
}
