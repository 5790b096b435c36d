/**
 * What a command does with the change set that it has just made: shows and applies it, leaves it for later where that is wanted or others are
 * to approve it, and gives it up where it is not meant.
 */
import { codes } from "../error-codes.ts";
import { apply } from "./change-sets.ts";
import { callGraphql, RefusedError } from "./client.ts";
import { show } from "./preview.ts";
import { print } from "./print.ts";
import type { Terminal } from "./terminal.ts";

export const needsDocument =
  "query ($id: ID!) { changeSet(id: $id) { approvalsNeeded zones(first: 100) { nodes { zone domain { effectiveReview } } } } }";
export const cancelDocument =
  "mutation ($input: CancelChangeSetInput!) { cancelChangeSet(input: $input) { changeSet { id } } }";

/** What a set needs before it is applied, with the review of its first zones. */
interface Needs {
  readonly approvalsNeeded: number;
  readonly zones: {
    readonly nodes: readonly {
      readonly zone: string;
      readonly domain: { readonly effectiveReview: string | null } | null;
    }[];
  };
}

/** The options of what makes a change set and applies it. */
export interface DraftOptions {
  readonly draft?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Shows a draft that was just made and applies it, or says how it will be. */
export async function applyDraft(terminal: Terminal, id: string, { draft = false, ...options }: DraftOptions) {
  const { changeSet: needs } = await callGraphql<{ changeSet: Needs }>(terminal.endpoint(), needsDocument, { id });
  const { json = false } = options;
  if (draft) {
    const preview = await show(terminal, id, { json });
    return print(json, { id, preview }, `Change set ${id} is a draft; ${nextSteps(id, needs)}`);
  }
  if (needs.approvalsNeeded > 0) {
    await show(terminal, id, { json });
    throw reviewRequired(id, needs);
  }
  try {
    await apply(terminal, id, options);
  } catch (error) {
    await callGraphql(terminal.endpoint(), cancelDocument, { input: { id } }).catch(() => undefined);
    throw error;
  }
}

/** The commands that apply a draft. */
function nextSteps(id: string, { approvalsNeeded }: Needs): string {
  const applies = `"changeset apply ${id}" applies it.`;
  if (approvalsNeeded === 0) return applies;
  const who = approvalsNeeded === 1 ? "another person approves" : `${approvalsNeeded} other persons approve`;
  return `"changeset submit ${id}" submits it to review, ${who} it by "changeset approve ${id}", and then ${applies}`;
}

/** Zones that are named. */
const maxNamed = 5;

/** The refusal to apply a set that others are to approve, which is kept. */
function reviewRequired(id: string, needs: Needs): RefusedError {
  const demanding = needs.zones.nodes.filter(({ domain }) => !withoutApprovals.has(domain?.effectiveReview ?? "NONE"));
  const named = demanding.slice(0, maxNamed).map(({ zone }) => zone);
  const more = demanding.length > named.length ? ` and ${demanding.length - named.length} more` : "";
  const by = named.length > 0 ? `, as demanded by ${named.join(", ")}${more}` : "";
  const { approvalsNeeded } = needs;
  const approvals = `${approvalsNeeded} ${approvalsNeeded === 1 ? "approval" : "approvals"}`;
  const message = `Change set ${id} needs ${approvals}${by}. It is kept as a draft: ${nextSteps(id, needs)}`;
  return new RefusedError({ code: codes.REVIEW_REQUIRED.status, status: "error", error: "REVIEW_REQUIRED", message });
}

/** The reviews of zones that nobody need approve the changes of. */
const withoutApprovals: ReadonlySet<string> = new Set(["NONE", "CHANGE_SET"]);
