/**
 * What a command does with the change set that it has just made: shows and applies it, leaves it for later where that is wanted or others are
 * to approve it, and gives it up where it is not meant.
 */
import { codes } from "../../error-codes.ts";
import { callGraphql, RefusedError } from "../service/client.ts";
import { print } from "../terminal/print.ts";
import { apply } from "./change-sets.ts";
import { approvalsText, type Needs, show, type Terminal } from "./preview.ts";

export const needsDocument = "query ($id: ID!) { changeSet(id: $id) { requiredApprovals } }";
export const cancelDocument =
  "mutation ($input: ChangeSetStepInput!) { cancelChangeSet(input: $input) { changeSet { id } } }";

/** The options of what makes a change set and applies it. */
export interface DraftOptions {
  readonly draft?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

interface Asked {
  readonly changeSet: Pick<Needs, "requiredApprovals">;
}

/** Shows a draft that was just made and applies it, or says how it will be. */
export async function applyDraft(terminal: Terminal, id: string, { draft = false, ...options }: DraftOptions) {
  const { json = false } = options;
  if (draft) {
    const preview = await show(terminal, id, { json });
    return print(json, { id, preview }, `Change set ${id} is a draft; ${nextSteps(id, preview)}`);
  }
  const { changeSet } = await callGraphql<Asked>(terminal.endpoint(), needsDocument, { id });
  if (changeSet.requiredApprovals > 0) throw reviewRequired(id, await show(terminal, id, { json }));
  try {
    await apply(terminal, id, options);
  } catch (error) {
    await callGraphql(terminal.endpoint(), cancelDocument, { input: { changeSetId: id } }).catch(() => undefined);
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
  const { demandingZones } = needs;
  const without =
    demandingZones.length > 0
      ? ` Or "changeset unstage ${id} ZONE" takes such zones out, and the others are applied without.`
      : "";
  const message = `Change set ${id} needs ${approvalsText(needs)}. It is kept as a draft: ${nextSteps(id, needs)}${without}`;
  return new RefusedError({ code: codes.REVIEW_REQUIRED.status, status: "error", error: "REVIEW_REQUIRED", message });
}
