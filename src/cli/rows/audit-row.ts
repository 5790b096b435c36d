/**
 * The command that lists the audit.
 */

import { timeForms } from "../terminal/moment.ts";
import type { CommandRow } from "./command-row.ts";
import { timeOf } from "./history-rows.ts";

export const auditRow: CommandRow = {
  words: "audit",
  description: "list who did what, from where, and what was refused, the newest first",
  options: [
    ["--since <time>", `only what came since: ${timeForms}`],
    ["--zone <zone>", "only what was about this zone"],
    ["--by <actor>", "only of this actor, as the list has it, or of the keys of this name"],
    ["--operation <name>", "only this operation, as the list has it"],
    ["--refused", "only what was refused"],
  ],
  document: `query ($after: String, $filter: AuditEntryFilter) { auditEntries(first: 200, after: $after, filter: $filter) {
    nodes { createdAt actor address source operation zone subjectId code field count } pageInfo { hasNextPage endCursor } } }`,
  variables: ({ options: { since, zone, by, operation, refused } }) => ({
    filter: {
      ...{ zone, operation, actor: by },
      ...(refused !== undefined && { refused: true }),
      ...(since !== undefined && { createdSince: timeOf(String(since)) }),
    },
  }),
  result: "auditEntries.nodes",
  columns: [
    ["when", "createdAt"],
    ["by", "actor"],
    ["operation", "operation"],
    ["zone", "zone"],
    ["refused", "code"],
    ["field", "field"],
    ["from", "address"],
    ["source", "source", (source) => String(source).toLowerCase()],
    ["about", "subjectId"],
    ["times", "count"],
  ],
};
