/**
 * The commands that read: the records of a zone at a moment, its changes, the versions of an RRset, who wrote each record, deleted
 * domains, and the audit.
 */
import { callGraphql, type Endpoint, pageInfo } from "../service/client.ts";
import { momentForms, readMoment, timeForms } from "../terminal/moment.ts";
import { type Column, columns, dataColumn } from "../terminal/print.ts";
import { type CommandRow, command, type Given, list, type OperationRow, operation, runRow } from "./command-row.ts";

const by = "actor user { email }";
const author = `${by} appliedBy source createdAt id note`;

interface Author {
  readonly actor: string;
  readonly appliedBy?: string | null;
  readonly user: { readonly email: string } | null;
}

/** The author of a change: the user, if any, the key, and the actor that applied it, if that is another. */
function authorText({ actor, appliedBy, user }: Author): string {
  const text = user ? `${user.email} · ${actor}` : actor;
  return appliedBy && appliedBy !== actor ? `${text}, applied by ${appliedBy}` : text;
}

/** Extracts the actor from a text that `authorText` made. */
const actorIn = (text: string) => text.replace(/^\S+ · /, "").replace(/, applied by .*$/, "");

const lowerCase = (text: string) => text.toLowerCase();

/** The columns that describe a change. `path` is where the change is in the row; without it the row itself is the change. */
const authorColumns = (path?: string): readonly Column[] => {
  const inside = path === undefined ? "" : `${path}.`;
  const text = `when: ${inside}createdAt, by: ${path ?? "."}, source: ${inside}source, change: ${inside}id, note: ${inside}note`;
  return columns(text, { by: authorText, source: lowerCase });
};

/** The beginning of a query for the history of a domain, existing or deleted; for a deleted one it includes the time of deletion. */
const zoneHistory = "zoneHistory(by: $by) { zone ... on DeletedDomain { deletedAt }";

export const idOption = ["--id", "what is written is the id of the domain, of several of one name"] as const;

type Selector = { readonly id: string } | { readonly zone: string };

const selectorOf = ({ args: [word = ""], options: { id } }: Given<(typeof idOption)[0]>): Selector =>
  id ? { id: word } : { zone: word };

const records = "records(first: 1000, after: $after, owner: $owner, types: $types)";

const showOptions = [
  ["--at <moment>", `as it was: ${momentForms}`],
  ["--owner <owner>", "only those of this owner; @ is the apex"],
  ["--type <type>", "only those of this type"],
  idOption,
] as const;
type ShowFlags = (typeof showOptions)[number][0];

const shown = (given: Given<ShowFlags>) => {
  const { owner, type } = given.options;
  return { by: selectorOf(given), owner, types: type ? [type] : undefined };
};

export const showRow = operation({
  words: "show <zone>",
  description: "list the records of a zone, as they are or as they were",
  options: showOptions,
  document: `query ($after: String, $by: DomainSelector!, $owner: String, $types: [RecordType!]) { domain(by: $by) {
    ${records} { nodes { id owner ttl type rdata } ${pageInfo} } } }`,
  variables: shown,
  result: "domain.records.nodes",
  columns: [...columns("id, owner, ttl, type"), dataColumn],
});

export const showAtRow = operation<ShowFlags>({
  ...showRow,
  options: showOptions,
  document: `query ($after: String, $by: DomainSelector!, $owner: String, $types: [RecordType!], $moment: MomentInput!) {
    ${zoneHistory} at(moment: $moment) { ${records} { nodes { id: recordId owner ttl type rdata } ${pageInfo} } } } }`,
  variables: (given) => ({ ...shown(given), moment: readMoment(given.options.at ?? "") }),
  result: "zoneHistory.at.records.nodes",
});

const historyOptions = [
  ["--since <time>", `only what was changed since: ${timeForms}`],
  ["--by <actor>", "only changes of this actor, as the list has it, or of the keys of this name"],
  ["--type <type>", "only changes of records of this type; of all zones with --since"],
  idOption,
] as const;
type HistoryFlags = (typeof historyOptions)[number][0];

/** The maximum length, in characters, of a text that is not in the last column. */
const maxShown = 60;

const shortened = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text);

const changeColumns = [...columns("serial, what: summary", { what: shortened }), ...authorColumns()];

export const changesRow = operation<HistoryFlags>({
  words: "history <zone> [owner]",
  description: "list the changes of a zone",
  document: `query ($after: String, $by: DomainSelector!, $owner: String, $actor: String, $since: DateTime) { ${zoneHistory}
    changes(first: 200, after: $after, owner: $owner, actor: $actor, createdSince: $since) {
      nodes { serial kind summary ${author} } ${pageInfo} } } }`,
  variables: (given) => {
    const { since, by: actor } = given.options;
    return { by: selectorOf(given), owner: given.args[1], actor: actor && actorIn(actor), since: timeOf(since) };
  },
  result: "zoneHistory.changes.nodes",
  columns: changeColumns,
});

export const allChangesRow = operation<HistoryFlags>({
  words: "history",
  description: "list the changes of all zones",
  ...list("changes", `zone serial kind summary ${author}`, 200, "ChangeFilter"),
  variables: ({ args: [zone, owner], options: { since, by: actor, type } }) => {
    if (type !== undefined && zone === undefined && since === undefined)
      throw new Error("--since is missing; --type goes with it.");
    return { filter: { zone, owner, actor, type: type?.toUpperCase(), createdSince: timeOf(since) } };
  },
  columns: [...columns("zone"), ...changeColumns],
});

/** Reads `--since`; throws a sentence for a text that is no time. */
export function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const moment = readMoment(text);
  if ("time" in moment) return moment.time;
  throw new Error(`--since: "${text}" is no time; write ${timeForms}.`);
}

export const versionsRow = operation<HistoryFlags>({
  words: "history <zone> <owner> <type>",
  description: "list the versions of an RRset",
  document: `query ($after: String, $by: DomainSelector!, $owner: String!, $type: RecordType!) { ${zoneHistory}
    recordVersions(first: 200, after: $after, owner: $owner, type: $type) {
      nodes { ttl rdata from { ${author} } until { createdAt ${by} } } ${pageInfo} } } }`,
  variables: (given) => ({ by: selectorOf(given), owner: given.args[1], type: given.args[2] }),
  result: "zoneHistory.recordVersions.nodes",
  columns: columns("from: from.createdAt, by: from, until: until.createdAt, by: until, ttl, rdata", { by: authorText }),
});

function historyRow({ args, options: { type } }: Given<HistoryFlags>): OperationRow {
  if (args.length === 0 || (type !== undefined && !args[2])) return allChangesRow;
  return args[2] ? versionsRow : changesRow;
}

export const newestDocument =
  "query ($by: DomainSelector!) { zoneHistory(by: $by) { changes(first: 2) { nodes { id kind } } } }";

/** The id of the newest change of a zone, apart from its deletion; undefined without a change. */
async function newestChange(endpoint: Endpoint, by: Selector): Promise<string | undefined> {
  const { zoneHistory } = await callGraphql(endpoint, newestDocument, { by });
  return zoneHistory.changes.nodes.find(({ kind }) => kind !== "DELETE")?.id;
}

export const historyRows: readonly CommandRow[] = [
  command({
    words: showRow.words,
    description: showRow.description,
    options: showOptions,
    run: (given, { endpoint }) => runRow(given.options.at === undefined ? showRow : showAtRow, given, endpoint),
  }),
  command({
    words: "history [zone] [owner] [type]",
    description:
      "list the changes of a zone, or of all, the newest first; with owner and type the versions of that RRset",
    options: historyOptions,
    run: (given, { endpoint }) => runRow(historyRow(given), given, endpoint),
  }),
  operation({
    words: "blame <zone>",
    description: "list the records of a zone, each with who made it so, when and why",
    options: [["--at <moment>", `as it was: ${momentForms}`], idOption],
    document: `query ($after: String, $by: DomainSelector!, $moment: MomentInput!) { ${zoneHistory}
      at(moment: $moment) { records(first: 200, after: $after) {
        nodes { owner ttl type rdata blame { ${author} } restoredBy { id createdAt } } ${pageInfo} } } } }`,
    variables: async (given, endpoint) => {
      const [by, { at }] = [selectorOf(given), given.options];
      return { by, moment: at === undefined ? { changeId: await newestChange(endpoint, by) } : readMoment(at) };
    },
    result: "zoneHistory.at.records.nodes",
    columns: [
      ...columns("owner, ttl, type, rdata", { rdata: shortened }),
      ...authorColumns("blame"),
      ...columns("restored: restoredBy.createdAt"),
    ],
  }),
  operation({
    words: "deleted",
    description: "list the deleted domains, which restore brings back",
    options: [["--zone <part>", "only those with this part of the name"]],
    ...list("deletedDomains", "domainId zone serial deletedAt user { email }", 200, "DeletedDomainFilter"),
    variables: ({ options: { zone } }) => ({ filter: { zoneContains: zone } }),
    columns: columns("zone, serial, deleted: deletedAt, user: user.email, id: domainId"),
  }),
  operation({
    words: "audit",
    description: "list who did what, from where, and what was refused, the newest first",
    options: [
      ["--since <time>", `only what came since: ${timeForms}`],
      ["--zone <zone>", "only what was about this zone"],
      ["--by <actor>", "only of this actor, as the list has it, or of the keys of this name"],
      ["--operation <name>", "only this operation, as the list has it"],
      ["--refused", "only what was refused"],
    ],
    ...list(
      "auditEntries",
      "createdAt actor address source operation zone subjectId code field count",
      200,
      "AuditEntryFilter",
    ),
    variables: ({ options: { since, zone, by: actor, operation, refused } }) => ({
      filter: { zone, operation, actor, refused, createdSince: timeOf(since) },
    }),
    columns: columns(
      "when: createdAt, by: actor, operation, zone, refused: code, field, from: address, source, about: subjectId, times: count",
      { source: lowerCase },
    ),
  }),
];
