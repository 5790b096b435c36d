/**
 * The commands for domains, their review, and records.
 */
import { callGraphql } from "../service/client.ts";
import { onlyUserId, selectUser, userId } from "../service/identify.ts";
import { type Column, dataColumn } from "../terminal/print.ts";
import { labelText } from "./annotations.ts";
import type { CommandRow, Given } from "./command-row.ts";
import { templateId, valuesOf } from "./template-rows.ts";

/** A policy as the schema writes it; `owner` is that of the owner. */
const policyOf = (text = "") => (text === "owner" ? null : text.toUpperCase().replaceAll("-", "_"));

const policies = "none, change-set, one or two";

/** How a zone says that it is changed, and how it is. */
export const reviewColumns: readonly Column[] = [
  ["own review", "review"],
  ["required approvals", "requiredApprovals"],
];

export const reviewRows: readonly CommandRow[] = [
  {
    words: "domain review <zone> <policy>",
    description: `set how a zone is changed: ${policies} (approvals), or owner, as its owner's zones are`,
    document:
      "mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { zone review requiredApprovals } } }",
    variables: ({ args: [zone, policy] }) => ({ input: { by: { zone }, review: policyOf(policy) } }),
    result: "updateDomain.domain",
    columns: [["zone", "zone"], ...reviewColumns],
  },
  {
    words: "user review <user>",
    description: "set how the zones of a user are changed, and who reviews that",
    options: [
      ["--policy <policy>", `${policies} (approvals)`],
      ["--reviewers <user...>", "all the other users who review, by e-mail address or id"],
      ["--no-reviewers", "no other user reviews"],
    ],
    needsOption: true,
    document:
      "mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { email review reviewers { email } } } }",
    variables: async ({ args: [user = ""], options: { policy, reviewers } }, endpoint) => {
      const named = Array.isArray(reviewers) ? (reviewers as string[]) : undefined;
      const reviewerIds = named && (await Promise.all(named.map((each) => userId(endpoint, each))));
      return {
        input: {
          ...selectUser(user),
          ...(policy !== undefined && { review: policyOf(String(policy)) }),
          ...(reviewerIds && { reviewerIds }),
          ...(reviewers === false && { reviewerIds: [] }),
        },
      };
    },
    result: "updateUser.user",
    columns: [
      ["email", "email"],
      ["review", "review"],
      ["reviewers", "reviewers", (user) => (user as { email: string }).email],
    ],
  },
];

const domainColumns: readonly Column[] = [
  ["zone", "zone"],
  ["serial", "serial"],
  ["state", "publication.state"],
  ["user", "user.email"],
];
const domainFields = "zone serial publication { state } user { email }";

const recordColumns: readonly Column[] = [
  ["id", "id"],
  ["owner", "owner"],
  ["ttl", "ttl"],
  ["type", "type"],
  dataColumn,
];
const recordFields = "id owner ttl type rdata";

/** The options of a record, as input fields. */
const recordInput = ({ owner, type, ttl, rdata, force }: Given["options"]) => ({
  ...(owner !== undefined && { owner }),
  ...(type !== undefined && { type }),
  ...(ttl !== undefined && { ttl: readTtl(String(ttl)) }),
  ...(rdata !== undefined && { rdata }),
  ...(force && { force }),
});

function readTtl(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`ttl: "${text}" is not a TTL; write seconds, such as 3600.`);
}

export const countDocument =
  "query ($zone: String!) { domain(by: { zone: $zone }) { zone records(first: 1) { totalCount } } }";

interface Counted {
  readonly domain: { readonly zone: string; readonly records: { readonly totalCount: number } };
}

/** What a secondary serves of a zone; the serial and the error are missing for a user's key. */
function servedText(served: unknown): string {
  const { name, state, serial, lastError } = served as Served;
  const more = [...(serial === null ? [] : [`serial ${serial}`]), ...(lastError === null ? [] : [lastError])];
  return [`${name}: ${state}`, ...more].join(", ");
}

interface Served {
  readonly name: string;
  readonly state: string;
  readonly serial: number | null;
  readonly lastError: string | null;
}

export const zoneRows: readonly CommandRow[] = [
  {
    words: "domain list",
    description: "list the domains",
    options: [
      ["--user <user>", "only those of this user, by e-mail address or id"],
      ["--state <state>", "only those in this state: LIVE, PENDING, LATE or UNSERVED"],
      ["--label <label>", "only those with this label, such as env=prod, or env with any value"],
    ],
    document: `query ($after: String, $filter: DomainFilter) { domains(first: 200, after: $after, filter: $filter) {
      nodes { ${domainFields} } pageInfo { hasNextPage endCursor } } }`,
    variables: async ({ options: { user, state, label } }, endpoint) => ({
      filter: {
        ...(user && { userId: await userId(endpoint, String(user)) }),
        ...(state && { state: String(state).toUpperCase() }),
        ...(label && { labels: [label] }),
      },
    }),
    result: "domains.nodes",
    columns: domainColumns,
  },
  {
    words: "domain show <zone>",
    description: "show a domain, and what each secondary serves of it",
    document: `query ($zone: String!) { domain(by: { zone: $zone }) { id ${domainFields} createdAt review requiredApprovals labels { name value } records(first: 1) { totalCount }
      served: publication { secondaries { name state serial lastError } } } }`,
    variables: ({ args: [zone] }) => ({ zone }),
    result: "domain",
    columns: [
      ...domainColumns,
      ["id", "id"],
      ["created", "createdAt"],
      ...reviewColumns,
      ["labels", "labels", labelText],
      ["records", "records.totalCount"],
      ["secondaries", "served.secondaries", servedText],
    ],
  },
  {
    words: "domain add <zone>",
    description: "create a domain with its SOA, its NS records and www CNAME @",
    options: [
      ["--user <user>", "who will own it, by e-mail address or id (default: the only user that the key sees)"],
      ["--template <template>", "the template it is made from, by name or id"],
      ["--set <name=value...>", "values of the template's variables"],
    ],
    isChange: true,
    document: `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { notices { message } domain { ${domainFields} } } }`,
    variables: async ({ args: [zone], options: { user, template, set } }, endpoint) => ({
      input: {
        zone,
        userId: user ? await userId(endpoint, String(user)) : await onlyUserId(endpoint),
        ...(template && { templateId: await templateId(endpoint, String(template)) }),
        ...(set !== undefined && { variables: valuesOf(set) }),
      },
    }),
    result: "createDomain.domain",
    columns: domainColumns,
  },
  {
    words: "domain change <zone>",
    description: "give a domain, and all access to it, to another user",
    options: [["--user <user>", "the new user, by e-mail address or id"]],
    document: `mutation ($input: TransferDomainInput!) { transferDomain(input: $input) { domain { ${domainFields} } } }`,
    variables: async ({ args: [zone], options: { user } }, endpoint) => {
      if (!user) throw new Error("--user is missing; name the user who will own the domain.");
      return { input: { by: { zone }, userId: await userId(endpoint, String(user)) } };
    },
    result: "transferDomain.domain",
    columns: domainColumns,
  },
  {
    words: "domain remove <zone>",
    description: "delete a domain with all its records; on a terminal it asks, elsewhere it wants --yes",
    question: async ({ args: [zone] }, endpoint) => {
      const { domain } = await callGraphql<Counted>(endpoint, countDocument, { zone });
      const { totalCount } = domain.records;
      const consequence = `This deletes ${domain.zone} with its ${totalCount} records.`;
      return { consequence, expected: domain.zone, called: "the zone's name" };
    },
    isChange: true,
    document:
      "mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { deletedId change { zone serial } } }",
    variables: ({ args: [zone] }) => ({ input: { by: { zone } } }),
    result: "deleteDomain",
    columns: [],
    text: ({ change }) => `${(change as { zone: string }).zone} is deleted.`,
  },
  {
    words: "record list <zone>",
    description: "list the records of a zone",
    options: [
      ["--owner <owner>", "only those of this owner; @ is the apex"],
      ["--type <type>", "only those of this type"],
    ],
    document: `query ($after: String, $zone: String!, $owner: String, $types: [RecordType!]) { domain(by: { zone: $zone }) {
      records(first: 1000, after: $after, owner: $owner, types: $types) {
        nodes { ${recordFields} } pageInfo { hasNextPage endCursor } } } }`,
    variables: ({ args: [zone], options: { owner, type } }) => ({ zone, owner, ...(type && { types: [type] }) }),
    result: "domain.records.nodes",
    columns: recordColumns,
  },
  {
    words: "record find <part>",
    description: "find records of all zones by a part of the owner or the data, or by the name of a host",
    document: `query ($after: String, $part: String!) { records(first: 1000, after: $after, filter: { contains: $part }) {
      nodes { zone ${recordFields} } pageInfo { hasNextPage endCursor } } }`,
    variables: ({ args: [part] }) => ({ part }),
    result: "records.nodes",
    columns: [["zone", "zone"], ...recordColumns],
  },
  {
    words: "record show <id>",
    description: "show a record",
    document: `query ($id: ID!) { record(id: $id) { zone ${recordFields} note } }`,
    variables: ({ args: [id] }) => ({ id }),
    result: "record",
    columns: [["zone", "zone"], ...recordColumns, ["note", "note"]],
  },
  {
    words: "record add <zone> <owner> <type> <rdata...>",
    description: "create a record, such as: record add example.com app A 192.0.2.1",
    options: [["--ttl <seconds>", "its TTL, which becomes that of the RRset (default: the RRset's, or 3600)"]],
    isChange: true,
    document: `mutation ($input: CreateRecordInput!) { createRecord(input: $input) { notices { message } record { ${recordFields} } } }`,
    variables: ({ args: [zone, owner, type, ...rdata], options: { ttl } }) => ({
      input: { zone, owner, type, rdata: rdata.join(" "), ...(ttl !== undefined && { ttl: readTtl(String(ttl)) }) },
    }),
    result: "createRecord.record",
    columns: recordColumns,
  },
  {
    words: "record change <id>",
    description: "change a record; what no option names stays",
    options: [
      ["--owner <owner>", "new owner"],
      ["--type <type>", "new type"],
      ["--rdata <rdata>", "new data"],
      ["--ttl <seconds>", "new TTL, which becomes that of the RRset"],
      ["--force", "let the serial of an SOA leap by more than 10,000,000"],
    ],
    needsOption: true,
    advice: { SERIAL_LEAP: "--force" },
    isChange: true,
    document: `mutation ($input: UpdateRecordInput!) { updateRecord(input: $input) { notices { message } record { ${recordFields} } } }`,
    variables: ({ args: [id], options }) => ({ input: { recordId: id, ...recordInput(options) } }),
    result: "updateRecord.record",
    columns: recordColumns,
  },
];
