/**
 * The commands that look back: the changes of a zone, the versions of an RRset, who wrote each record, deleted domains, and the audit.
 */
import { callGraphql, type Endpoint } from "../service/client.ts";
import { momentForms, readMoment, timeForms } from "../terminal/moment.ts";
import type { Column } from "../terminal/print.ts";
import type { CommandRow } from "./command-row.ts";

const by = "actor user { email }";
const author = `${by} appliedBy source createdAt id note`;

/** Who made a change: the user, where there is one, the key, and of a change set the one that applied it, where that is another. */
function authorText(change: unknown): string {
  const { actor, appliedBy, user } = change as {
    readonly actor: string;
    readonly appliedBy?: string | null;
    readonly user: { readonly email: string } | null;
  };
  const author = user ? `${user.email} · ${actor}` : actor;
  return appliedBy && appliedBy !== actor ? `${author}, applied by ${appliedBy}` : author;
}

/** The actor in a text that authorText wrote. */
const actorIn = (text: string) => text.replace(/^\S+ · /, "").replace(/, applied by .*$/, "");

/** The columns of a change, which is at a path of a row. */
const authorColumns = (path: string): readonly Column[] => {
  const inside = (name: string) => (path === "" ? name : `${path}.${name}`);
  return [
    ["when", inside("createdAt")],
    ["by", path, authorText],
    ["source", inside("source"), (source) => String(source).toLowerCase()],
    ["change", inside("id")],
    ["note", inside("note")],
  ];
};

/** What the commands read: the domain of a name, or the deleted one, whose time of deletion is said. */
export const zoneHistory = "zoneHistory(by: { zone: $zone }) { zone ... on DeletedDomain { deletedAt }";

const pageInfo = "pageInfo { hasNextPage endCursor }";

export const changesRow: CommandRow = {
  words: "history [zone] [owner] [type]",
  description:
    "list the changes of a zone, or of all, the newest first; with owner and type the versions of that RRset",
  options: [
    ["--since <time>", `only what was changed since: ${timeForms}`],
    ["--by <actor>", "only changes of this actor, as the list has it, or of the keys of this name"],
    ["--type <type>", "only changes of records of this type; of all zones with --since"],
  ],
  document: `query ($after: String, $zone: String!, $owner: String, $actor: String, $since: DateTime) { ${zoneHistory}
    changes(first: 200, after: $after, owner: $owner, actor: $actor, createdSince: $since) {
      nodes { serial kind summary ${author} } ${pageInfo} } } }`,
  variables: ({ args: [zone, owner], options: { since, by: actor } }) => ({
    zone,
    owner,
    actor: actor === undefined ? undefined : actorIn(String(actor)),
    ...(since !== undefined && { since: timeOf(String(since)) }),
  }),
  result: "zoneHistory.changes.nodes",
  columns: [["serial", "serial"], ["what", "summary", shortened], ...authorColumns("")],
};

export const allChangesRow: CommandRow = {
  words: "history",
  description: "list the changes of all zones",
  document: `query ($after: String, $filter: ChangeFilter) { changes(first: 200, after: $after, filter: $filter) {
    nodes { zone serial kind summary ${author} } ${pageInfo} } }`,
  variables: ({ args: [zone, owner], options: { since, by, type } }) => {
    if (type !== undefined && zone === undefined && since === undefined)
      throw new Error("--since is missing; --type goes with it.");
    return {
      filter: {
        ...{ zone, owner, actor: by },
        ...(type !== undefined && { type: String(type).toUpperCase() }),
        ...(since !== undefined && { createdSince: timeOf(String(since)) }),
      },
    };
  },
  result: "changes.nodes",
  columns: [["zone", "zone"], ...changesRow.columns],
};

/** Reads a time. */
export function timeOf(text: string): string {
  const { time } = readMoment(text);
  if (time !== undefined) return time;
  throw new Error(`--since: "${text}" is no time; write ${timeForms}.`);
}

export const versionsRow: CommandRow = {
  words: "history <zone> <owner> <type>",
  description: "list the versions of an RRset",
  document: `query ($after: String, $zone: String!, $owner: String!, $type: RecordType!) { ${zoneHistory}
    recordVersions(first: 200, after: $after, owner: $owner, type: $type) {
      nodes { ttl rdata from { ${author} } until { createdAt ${by} } } ${pageInfo} } } }`,
  variables: ({ args: [zone, owner, type] }) => ({ zone, owner, type }),
  result: "zoneHistory.recordVersions.nodes",
  columns: [
    ["from", "from.createdAt"],
    ["by", "from", authorText],
    ["until", "until.createdAt"],
    ["by", "until", authorText],
    ["ttl", "ttl"],
    ["rdata", "rdata"],
  ],
};

export const newestDocument =
  "query ($zone: String!) { changes(first: 2, filter: { zone: $zone }) { nodes { id kind } } }";

/** The id of the newest change of a zone, of a deleted one that before its deletion; undefined where there is none. */
async function newestChange(endpoint: Endpoint, zone: unknown): Promise<string | undefined> {
  const { changes } = await callGraphql<{ changes: { nodes: { id: string; kind: string }[] } }>(
    endpoint,
    newestDocument,
    { zone },
  );
  return changes.nodes.find(({ kind }) => kind !== "DELETE")?.id;
}

export const blameRow: CommandRow = {
  words: "blame <zone>",
  description: "list the records of a zone, each with who made it so, when and why",
  options: [["--at <moment>", `as it was: ${momentForms}`]],
  document: `query ($after: String, $zone: String!, $moment: MomentInput!) { ${zoneHistory}
    at(moment: $moment) { records(first: 200, after: $after) {
      nodes { owner ttl type rdata blame { ${author} } restoredBy { id createdAt } } ${pageInfo} } } } }`,
  variables: async ({ args: [zone], options: { at } }, endpoint) => ({
    zone,
    moment: at === undefined ? { changeId: await newestChange(endpoint, zone) } : readMoment(String(at)),
  }),
  result: "zoneHistory.at.records.nodes",
  columns: [
    ["owner", "owner"],
    ["ttl", "ttl"],
    ["type", "type"],
    ["rdata", "rdata", shortened],
    ...authorColumns("blame"),
    ["restored", "restoredBy.createdAt"],
  ],
};

/** Characters of data in a list that has columns after it. */
const maxShown = 60;

function shortened(rdata: unknown): string {
  const text = String(rdata);
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}

export const deletedRow: CommandRow = {
  words: "deleted",
  description: "list the deleted domains, which restore brings back",
  options: [["--zone <part>", "only those with this part of the name"]],
  document: `query ($after: String, $filter: DeletedDomainFilter) { deletedDomains(first: 200, after: $after, filter: $filter) {
    nodes { domainId zone serial deletedAt user { email } } ${pageInfo} } }`,
  variables: ({ options: { zone } }) => ({ filter: { zoneContains: zone } }),
  result: "deletedDomains.nodes",
  columns: [
    ["zone", "zone"],
    ["serial", "serial"],
    ["deleted", "deletedAt"],
    ["user", "user.email"],
    ["id", "domainId"],
  ],
};

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
