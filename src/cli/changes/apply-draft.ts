/**
 * What a command does with the change set that it has just made: it shows and applies the set, keeps it where that is wanted or others are
 * to approve it, and cancels it where it is not meant.
 */

import { codes } from "../../error-codes.ts";
import type { Terminal } from "../command-rows/command-row.ts";
import { callGraphql, RefusedError } from "../service/client.ts";
import type { Decision } from "../terminal/confirmation.ts";
import { print } from "../terminal/print.ts";
import { apply } from "./change-sets.ts";
import { approvalsText, type Needs, type Preview, printPreview, show } from "./preview.ts";

export const needsDocument = "query ($id: ID!) { changeSet(id: $id) { requiredApprovals } }";
export const cancelDocument =
  "mutation ($input: ChangeSetStepInput!) { cancelChangeSet(input: $input) { changeSet { id } } }";

/** The result of a mutation of many zones: the set that it made, or the preview of a dry run; neither where there is nothing to do. */
interface Bulk {
  readonly changeSet?: { readonly id: string } | null;
  readonly preview?: Preview | null;
}

interface DraftOptions extends Decision {
  readonly draft?: boolean;
}

/** Applies the set that a mutation made; prints the result of one that made none. */
export async function applyBulk(
  terminal: Terminal,
  result: Bulk,
  options: DraftOptions,
  sentence = "Nothing was changed.",
): Promise<void> {
  const { changeSet, preview } = result;
  if (preview && !options.json) printPreview(preview, terminal);
  if (changeSet) return applyDraft(terminal, changeSet.id, options);
  print(options.json, result, sentence);
}

/** Shows a draft and applies it, or says how it will be applied. */
async function applyDraft(terminal: Terminal, id: string, { draft = false, json, yes }: DraftOptions): Promise<void> {
  if (draft) {
    const preview = await show(terminal, id, { json });
    return print(json, { id, preview }, `Change set ${id} is a draft; ${nextSteps(id, preview)}`);
  }
  const { changeSet } = await callGraphql(terminal.endpoint, needsDocument, { id });
  if (changeSet.requiredApprovals > 0) throw reviewRequired(id, await show(terminal, id, { json }));
  try {
    await apply(terminal, id, { json, yes });
  } catch (error) {
    await callGraphql(terminal.endpoint, cancelDocument, { input: { changeSetId: id } }).catch(() => undefined);
    throw error;
  }
}

/** The commands that apply a draft. */
function nextSteps(id: string, { requiredApprovals }: Needs): string {
  const applies = `"changeset apply ${id}" applies it.`;
  if (requiredApprovals === 0) return applies;
  const who = requiredApprovals === 1 ? "another person approves" : `${requiredApprovals} other persons approve`;
  return `"changeset submit ${id}" submits it to review, ${who} it by "changeset approve ${id}", and then ${applies}`;
}

/** The refusal to apply a set that others are to approve, which is kept. */
function reviewRequired(id: string, needs: Needs): RefusedError {
  const without =
    needs.demandingZones.length > 0
      ? ` Or "changeset unstage ${id} ZONE" takes such zones out, and the others are applied without.`
      : "";
  const message = `Change set ${id} needs ${approvalsText(needs)}. It is kept as a draft: ${nextSteps(id, needs)}${without}`;
  return new RefusedError({ code: codes.REVIEW_REQUIRED.status, status: "error", error: "REVIEW_REQUIRED", message });
}
