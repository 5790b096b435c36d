/**
 * The error codes that each mutation may return, for its description. Tests check every refusal that they see against
 * this table (test/setup/service).
 */
import type { Code } from "../../error-codes.ts";

/** The codes that any mutation may return. */
export const commonCodes: readonly Code[] = [
  "BAD_REQUEST",
  "FORBIDDEN",
  "INTERNAL_ERROR",
  "INVALID_VALUE",
  "MISSING_FIELD",
  "QUERY_TOO_COMPLEX",
  "TOO_LARGE",
  "TOO_MANY_REQUESTS",
  "UNAUTHENTICATED",
  "UNAVAILABLE",
];

/** Codes of record data in a request. */
const content = [
  "AMBIGUOUS_NAME",
  "INVALID_NAME",
  "INVALID_RDATA",
  "INVALID_TTL",
  "OUT_OF_ZONE",
  "UNSUPPORTED_TYPE",
] as const;

/** Codes of the rules of a zone. */
const rules = ["DUPLICATE_RECORD", "PROTECTED_RECORD", "RECORD_CONFLICT"] as const;

/** Codes of a change of a zone. */
const change = ["INVALID_NAME", "NOT_FOUND", "QUOTA_EXCEEDED", "REVIEW_REQUIRED"] as const;

const serials = ["SERIAL_LEAP", "SERIAL_NOT_INCREASED", "STALE_SERIAL"] as const;

const conditions = ["NAME_IN_USE", "NAME_NOT_IN_USE", "RRSET_EXISTS", "RRSET_MISSING"] as const;

/** Codes of a new zone. */
const creation = ["DUPLICATE_ZONE", "ZONE_CONFLICT"] as const;

/** Codes of a moment of a zone. */
const past = ["HISTORY_GONE", "NOT_FOUND"] as const;

/** Codes of a step of a change set. */
const step = ["NOT_FOUND", "STALE_CHANGE_SET", "WRONG_STATE"] as const;

/** Codes of edits that are staged in a change set. */
const staged = [...content, ...past, "QUOTA_EXCEEDED", "RECORD_CONFLICT", "STALE_SERIAL", "ZONE_CONFLICT"] as const;

/** Codes of submitting, scheduling and applying a change set, which check what it would do. */
const effect = [...step, ...rules, ...creation, "CHANGE_CONFLICT", "HISTORY_GONE", "QUOTA_EXCEEDED"] as const;

/** The codes of each mutation besides the common codes, by its name. */
const codes: Readonly<Record<string, readonly Code[]>> = {
  applyChangeSet: effect,
  applyTemplate: staged,
  cancelChangeSet: step,
  changeRecords: [...change, ...content, ...rules, ...serials, ...conditions],
  checkServers: ["INVALID_NAME", "NOT_FOUND", "UNAVAILABLE"],
  commentChangeSet: ["NOT_FOUND"],
  confirmCatalogRemoval: [],
  confirmRestore: [],
  createApiKey: ["INVALID_NAME", "NOT_FOUND", "QUOTA_EXCEEDED"],
  createChangeSet: staged,
  createDomain: [...change, ...content, ...rules, ...creation],
  createRecord: [...change, ...content, ...rules, "STALE_SERIAL"],
  createSecondary: ["NOT_FOUND"],
  createTemplate: [...content, ...rules, "NOT_FOUND", "QUOTA_EXCEEDED"],
  createTsigKey: ["INVALID_NAME", "NOT_FOUND", "QUOTA_EXCEEDED"],
  createUser: ["DUPLICATE_EMAIL"],
  createWebhook: ["INVALID_NAME", "NOT_FOUND", "QUOTA_EXCEEDED"],
  deleteDomain: change,
  deleteRecord: [...change, "PROTECTED_RECORD", "RECORD_CONFLICT", "STALE_SERIAL"],
  deleteSecondary: ["NOT_FOUND"],
  deleteTemplate: ["NOT_FOUND"],
  deleteUser: ["NOT_FOUND", "QUOTA_EXCEEDED", "USER_HAS_DOMAINS", "ZONE_CONFLICT"],
  deleteWebhook: ["NOT_FOUND"],
  editRecords: staged,
  importZone: [...change, ...content, ...rules, ...creation, "STALE_SERIAL"],
  resendWebhookMessages: ["NOT_FOUND", "WRONG_STATE"],
  resolveConflicts: [...step, "INVALID_NAME", "UNSUPPORTED_TYPE"],
  restageChangeSet: [...staged, "WRONG_STATE"],
  restoreDomain: [...change, ...rules, ...creation, "HISTORY_GONE"],
  resyncDomain: change,
  revertChange: [...change, ...rules, ...past, "CHANGE_CONFLICT", "STALE_SERIAL"],
  revertChanges: [...staged, "CHANGE_CONFLICT"],
  revertDomain: [...change, ...rules, ...past, "STALE_SERIAL"],
  reviewChangeSet: step,
  revokeApiKey: ["NOT_FOUND"],
  revokeTsigKey: ["NOT_FOUND"],
  rotateWebhookSecret: ["NOT_FOUND"],
  scheduleChangeSet: effect,
  setNote: ["INVALID_NAME", "NOT_FOUND", "OUT_OF_ZONE", "UNSUPPORTED_TYPE"],
  setUserQuota: ["NOT_FOUND"],
  stageChanges: [...step, ...staged],
  submitChangeSet: effect,
  testWebhook: ["NOT_FOUND", "WRONG_STATE"],
  transferDomain: ["INVALID_NAME", "NOT_FOUND", "QUOTA_EXCEEDED", "ZONE_CONFLICT"],
  unscheduleChangeSet: effect,
  updateChangeSet: step,
  updateDomain: ["INVALID_NAME", "NOT_FOUND"],
  updateRecord: [...change, ...content, ...rules, ...serials],
  updateSecondary: ["NOT_FOUND"],
  updateTemplate: [...content, ...rules, "NOT_FOUND"],
  updateUser: ["DUPLICATE_EMAIL", "NOT_FOUND"],
  updateWebhook: ["INVALID_NAME", "NOT_FOUND"],
  withdrawChangeSet: step,
};

/** The codes of a mutation besides the common codes, sorted by name. Throws for a mutation that is not in the table. */
export function codesOfMutation(name: string): readonly Code[] {
  const own = codes[name];
  if (!own) throw new Error(`${name} has no row in mutation-codes.ts`);
  return [...new Set(own)].toSorted();
}
