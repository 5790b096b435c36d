/**
 * How far a change set is approved, as text.
 */
import { keyName } from "../parts/author.ts";
import type { ShownSet } from "./queries.ts";

/** Who approved what is shown and who asks for changes; undefined where no approval is wanted and nobody said anything. */
export function approvalText(
  { approvalsWanted, reviews, state }: Pick<ShownSet, "approvalsWanted" | "reviews" | "state">,
  fingerprint: string | undefined,
): string | undefined {
  const valid = (reviews ?? []).filter((review) => review.valid);
  const approved = valid.filter(({ verdict }) => verdict === "APPROVE");
  // What was applied is what was approved.
  const counts = approved.filter((review) => state === "APPLIED" || !fingerprint || review.fingerprint === fingerprint);
  const asking = valid.filter(({ verdict }) => verdict === "REQUEST_CHANGES");
  if (approvalsWanted === 0 && valid.length === 0) return undefined;
  const names = (list: readonly { readonly actor: string }[]) => list.map(({ actor }) => keyName(actor)).join(", ");
  const parts = [`${counts.length} of ${approvalsWanted}${counts.length > 0 ? ` by ${names(counts)}` : ""}`];
  if (counts.length < approved.length) parts.push("what was approved before was another effect");
  if (asking.length > 0) parts.push(`${names(asking)} asked for changes`);
  return parts.join("; ");
}
