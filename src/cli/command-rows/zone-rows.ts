/** The commands for domains, their review, and records. */
import { callGraphql, type DataOf } from "../service/client.ts";
import { onlyUserId, selectUser, templateId, userId } from "../service/identify.ts";
import { columns, dataColumn } from "../terminal/print.ts";
import { labelText } from "./annotations.ts";
import { type CommandRow, list, mutation, operation } from "./command-row.ts";
import { showRow } from "./history-rows.ts";
import { setOption, valuesOf } from "./template-rows.ts";

/** A policy as the schema writes it; null for `owner`, the policy of the owner. */
const policyOf = (text: string) => (text === "owner" ? null : text.toUpperCase().replaceAll("-", "_"));

const policies = "none, change-set, one or two";

const reviewColumns = columns("own review: review, required approvals: requiredApprovals");

const domainColumns = columns("zone, serial, state: publication.state, user: user.email");
const domainFields = "zone serial publication { state } user { email }";

const recordColumns = [...columns("id, owner, ttl, type"), dataColumn];
const recordFields = "id owner ttl type rdata";

function readTtl(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new Error(`ttl: "${text}" is not a TTL; write seconds, such as 3600.`);
}

export const countDocument =
  "query ($zone: String!) { domain(by: { zone: $zone }) { zone records(first: 1) { totalCount } } }";

export const shownDomainDocument = `query ($zone: String!) { domain(by: { zone: $zone }) {
  id ${domainFields} createdAt review requiredApprovals labels { name value } records(first: 1) { totalCount }
  served: publication { secondaries { name state serial lastError } } } }` as const;
type Served = DataOf<typeof shownDomainDocument>["domain"]["served"]["secondaries"][number];

/** The state of a zone on a secondary; a user's key sees neither serial nor error. */
function servedText({ name, state, serial, lastError }: Served): string {
  const more = [...(serial === null ? [] : [`serial ${serial}`]), ...(lastError === null ? [] : [lastError])];
  return [`${name}: ${state}`, ...more].join(", ");
}

export const zoneRows: readonly CommandRow[] = [
  operation({
    words: "domain list",
    description: "list the domains",
    options: [
      ["--user <user>", "only those of this user, by e-mail address or id"],
      ["--state <state>", "only those in this state: LIVE, PENDING, LATE or UNSERVED"],
      ["--label <label>", "only those with this label, such as env=prod, or env with any value"],
    ],
    ...list("domains", domainFields, 200, "DomainFilter"),
    variables: async ({ options: { user, state, label } }, endpoint) => ({
      filter: {
        ...(user && { userId: await userId(endpoint, user) }),
        ...(state && { state: state.toUpperCase() }),
        ...(label && { labels: [label] }),
      },
    }),
    columns: domainColumns,
  }),
  {
    words: "domain show <zone>",
    description: "show a domain, and what each secondary serves of it",
    document: shownDomainDocument,
    variables: ({ args: [zone] }) => ({ zone }),
    result: "domain",
    columns: [
      ...domainColumns,
      ...columns("id, created: createdAt"),
      ...reviewColumns,
      ...columns("labels, records: records.totalCount, secondaries: served.secondaries", {
        labels: labelText,
        secondaries: servedText,
      }),
    ],
  },
  operation({
    words: "domain add <zone>",
    description: "create a domain with its SOA, its NS records and www CNAME @",
    options: [
      ["--user <user>", "who will own it, by e-mail address or id (default: the only user that the key sees)"],
      ["--template <template>", "the template it is made from, by name or id"],
      setOption,
    ],
    isChange: true,
    ...mutation("createDomain", `notices { message } domain { ${domainFields} }`, "domain"),
    variables: async ({ args: [zone], options: { user, template, set } }, endpoint) => ({
      input: {
        zone,
        userId: user ? await userId(endpoint, user) : await onlyUserId(endpoint),
        templateId: template ? await templateId(endpoint, template) : undefined,
        variables: set && valuesOf(set),
      },
    }),
    columns: domainColumns,
  }),
  operation({
    words: "domain change <zone>",
    description: "give a domain, and all access to it, to another user",
    options: [["--user <user>", "the new user, by e-mail address or id"]],
    ...mutation("transferDomain", `domain { ${domainFields} }`, "domain"),
    variables: async ({ args: [zone], options: { user } }, endpoint) => {
      if (!user) throw new Error("--user is missing; name the user who will own the domain.");
      return { input: { by: { zone }, userId: await userId(endpoint, user) } };
    },
    columns: domainColumns,
  }),
  {
    words: "domain remove <zone>",
    description: "delete a domain with all its records; on a terminal it asks, elsewhere it wants --yes",
    question: async ({ args: [zone = ""] }, endpoint) => {
      const { domain } = await callGraphql(endpoint, countDocument, { zone });
      const consequence = `This deletes ${domain.zone} with its ${domain.records.totalCount} records.`;
      return { consequence, expected: domain.zone, called: "the zone's name" };
    },
    isChange: true,
    ...mutation("deleteDomain", "deletedId change { zone serial }"),
    variables: ({ args: [zone] }) => ({ input: { by: { zone } } }),
    text: ({ change }) => `${(change as { zone: string }).zone} is deleted.`,
  },
  {
    ...showRow,
    words: "record list <zone>",
    description: "list the records of a zone",
    options: showRow.options?.slice(1),
  },
  {
    words: "record find <part>",
    description: "find records of all zones by a part of the owner or the data, or by the name of a host",
    ...list("records", `zone ${recordFields}`, 1000, "RecordFilter"),
    variables: ({ args: [part] }) => ({ filter: { contains: part } }),
    columns: [...columns("zone"), ...recordColumns],
  },
  {
    words: "record show <id>",
    description: "show a record",
    document: `query ($id: ID!) { record(id: $id) { zone ${recordFields} note } }`,
    variables: ({ args: [id] }) => ({ id }),
    result: "record",
    columns: [...columns("zone"), ...recordColumns, ...columns("note")],
  },
  operation({
    words: "record add <zone> <owner> <type> <rdata...>",
    description: "create a record, such as: record add example.com app A 192.0.2.1",
    options: [["--ttl <seconds>", "its TTL, which becomes that of the RRset (default: the RRset's, or 3600)"]],
    isChange: true,
    ...mutation("createRecord", `notices { message } record { ${recordFields} }`, "record"),
    variables: ({ args: [zone, owner, type, ...rdata], options: { ttl } }) => ({
      input: { zone, owner, type, rdata: rdata.join(" "), ttl: readTtl(ttl) },
    }),
    columns: recordColumns,
  }),
  operation({
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
    ...mutation("updateRecord", `notices { message } record { ${recordFields} }`, "record"),
    variables: ({ args: [recordId], options: { owner, type, rdata, ttl, force } }) => ({
      input: { recordId, owner, type, rdata, ttl: readTtl(ttl), force },
    }),
    columns: recordColumns,
  }),
  {
    words: "domain review <zone> <policy>",
    description: `set how a zone is changed: ${policies} (approvals), or owner, as its owner's zones are`,
    ...mutation("updateDomain", "domain { zone review requiredApprovals }", "domain"),
    variables: ({ args: [zone, policy = ""] }) => ({ input: { by: { zone }, review: policyOf(policy) } }),
    columns: [...columns("zone"), ...reviewColumns],
  },
  operation({
    words: "user review <user>",
    description: "set how the zones of a user are changed, and who reviews that",
    options: [
      ["--policy <policy>", `${policies} (approvals)`],
      ["--reviewers <user...>", "all the other users who review, by e-mail address or id"],
      ["--no-reviewers", "no other user reviews"],
    ],
    needsOption: true,
    ...mutation("updateUser", "user { email review reviewers { email } }", "user"),
    variables: async ({ args: [user = ""], options: { policy, reviewers } }, endpoint) => {
      const named = reviewers === false ? [] : reviewers;
      const reviewerIds =
        typeof named === "object" ? await Promise.all(named.map((each) => userId(endpoint, each))) : undefined;
      return { input: { ...selectUser(user), review: policy && policyOf(policy), reviewerIds } };
    },
    columns: columns("email, review, reviewers", { reviewers: ({ email }: { readonly email: string }) => email }),
  }),
];
