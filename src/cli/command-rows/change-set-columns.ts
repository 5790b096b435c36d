/**
 * What is printed of a change set: in a list, when it is shown, and after a step of it.
 */
import type { Column } from "../terminal/print.ts";

export const listColumns: readonly Column[] = [
  ["id", "id"],
  ["title", "title"],
  ["state", "state"],
  ["author", "author"],
  ["user", "user.email"],
  ["zones", "zones.totalCount"],
  ["touched", "updatedAt"],
];

const zoneText = (value: unknown) => {
  const { zone, action, outcome, reasons } = value as {
    readonly zone: string;
    readonly action: string;
    readonly outcome: string | null;
    readonly reasons: readonly { readonly message: string }[];
  };
  const why = reasons.map(({ message }) => ` ${message}`).join("");
  return `${zone} ${action.toLowerCase()}${outcome ? ` ${outcome.toLowerCase()}${why && ":"}${why}` : ""}`;
};

const progressText = (value: unknown) => {
  const { zones, applied, refused } = value as { zones: number; applied: number; refused: number };
  return `${applied} of ${zones}${refused > 0 ? `, ${refused} refused` : ""}`;
};

const eventText = (value: unknown) => {
  const { kind, actor, createdAt, text } = value as { kind: string; actor: string; createdAt: string; text: string };
  return `${createdAt} ${kind.toLowerCase().replace("_", " ")} by ${actor}${text ? `: ${text}` : ""}`;
};

/** Of a set as it is shown. */
export const setColumns: readonly Column[] = [
  ["id", "id"],
  ["title", "title"],
  ["description", "description"],
  ["state", "state"],
  ["mode", "mode"],
  ["revision", "revision"],
  ["author", "author"],
  ["user", "user.email"],
  ["approvals needed", "requiredApprovals"],
  ["approvals given", "approvalCount"],
  ["due at", "applyAt"],
  ["applied at", "appliedAt"],
  ["why it came back", "failure.message"],
  ["zones applied", "progress", progressText],
  ["zones", "zones.nodes", zoneText],
  ["timeline", "timeline.nodes", eventText],
];

export const setFields = `id title description state mode revision author requiredApprovals approvalCount applyAt appliedAt failure { message } user { email }
  progress { zones applied refused }
  zones(first: 100) { nodes { zone action outcome reasons { message } } } timeline(last: 50) { nodes { kind actor createdAt text } }`;

/** Of a step that was done. */
export const stepColumns: readonly Column[] = [
  ["id", "id"],
  ["title", "title"],
  ["state", "state"],
  ["revision", "revision"],
  ["zones", "zones.totalCount"],
  ["done", "timeline.nodes", eventText],
];

/** Of a command that says what a set is called, and how it is applied. */
export const wordColumns: readonly Column[] = [
  ...stepColumns.slice(0, 2),
  ["description", "description"],
  ["state", "state"],
  ["mode", "mode"],
  ...stepColumns.slice(3),
];

export const stepFields = `id title description state mode revision applyAt zones(first: 1) { totalCount }
  timeline(last: 1) { nodes { kind actor createdAt text } }`;
