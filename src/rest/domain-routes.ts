/** The paths of domains and of their changes. */
import { Refusal } from "../errors.ts";
import {
  arrayOf,
  type ChangeData,
  change,
  createdDomain,
  type DomainData,
  historyChange,
  type PageData,
  schemaOf,
} from "./bodies.ts";
import { idText, ofUser, paging, required, text, yes, zone } from "./parameters.ts";
import { bodyId, bodyOrQueryText, bodyText, isYes, pathText, queryText, type RestRequest } from "./request.ts";
import type { FieldNames, Route, RouteDocs, Variables } from "./route-form.ts";
import {
  changeAndNotices,
  lookup,
  pageFields,
  pageVariables,
  type Selector,
  sameObject,
  selectedBy,
  selectorsOf,
} from "./shared-parts.ts";

const innerRecords = "nodes { id owner rdata type ttl } pageInfo { hasNextPage endCursor }";
/** The fields of a domain with a number of its records, 1 to 1000, or the variable `$records` of the operation. */
const domainFields = (records: number | "$records") =>
  `zone_id: id zone user { id email } records(first: ${records}) { ${innerRecords} }`;
const publicationFields = "publication { state serial since secondaries { name state serial seenAt lastError } }";
const changeFields = `id zone kind previousSerial serial actor source createdAt ${publicationFields}`;
export const domainListOperation = `query (${pageVariables}, $records: Int!, $filter: DomainFilter) {
  domains(first: $first, after: $after, filter: $filter) { nodes { ${domainFields("$records")} } ${pageFields} }
}`;

export const moreRecordsQuery = `query ($id: ID!, $after: String!) {
  domain(by: { id: $id }) { records(first: 1000, after: $after) { ${innerRecords} } }
}`;

const someRecords = "(first: 100) @include(if: $withRecords) { nodes { owner type ttl rdata } }";

const changesOperation = `query (${pageVariables}, $by: DomainSelector!, $owner: String, $type: RecordType, $actor: String,
    $createdSince: DateTime, $createdBefore: DateTime, $withRecords: Boolean!) {
  zoneHistory(by: $by) {
    changes(first: $first, after: $after, owner: $owner, type: $type, actor: $actor,
        createdSince: $createdSince, createdBefore: $createdBefore) {
      nodes { id previousSerial serial kind actor appliedBy source note changeSet { id } createdAt undoes { id } returnsTo { id }
        added(first: 1) { totalCount nodes { type } } removed(first: 1) { totalCount nodes { type } }
        addedRecords: added${someRecords} removedRecords: removed${someRecords} }
      ${pageFields}
    }
  }
}`;

const zoneSelectors = (request: RestRequest) => selectorsOf(request, { id: "id", zone: "name" });

/** The zone of a path: by its id, which is all digits, or by its name. */
function zoneOfPath(request: RestRequest): Selector {
  const selector = pathText(request, "zoneid");
  return /^[-+]?\d+$/.test(selector) ? { id: selector } : { zone: selector };
}

/**
 * The names of the selectors of a zone: the parameter of the query if it was sent, otherwise the parameter of the path.
 */
const zoneNamesOfPath = (request: RestRequest): FieldNames => ({
  id: queryText(request, "id") === undefined ? "zoneid" : "id",
  zone: queryText(request, "name") === undefined ? "zoneid" : "name",
});

function zoneOfQuery(request: RestRequest): readonly Selector[] {
  const selectors = zoneSelectors(request);
  if (selectors.length > 0) return selectors;
  throw new Refusal("INVALID_VALUE", "id is missing; send the id or the name of a zone.", { field: "id" });
}

/** The variables that select changes of a zone and, with `records=yes`, their records. */
const changesOfQuery = (request: RestRequest): Variables => ({
  owner: queryText(request, "owner"),
  type: queryText(request, "rtype"),
  actor: queryText(request, "actor"),
  createdSince: queryText(request, "since"),
  createdBefore: queryText(request, "until"),
  withRecords: isYes("records", queryText(request, "records")),
});

const domainByDocs: RouteDocs = {
  summary: "One domain with all its records",
  query: [text("id", "The domain's id.", idText), text("name", "The zone name.")],
  answer: schemaOf("Domain"),
};

export const domainRoutes: readonly Route[] = [
  {
    method: "get",
    path: "/domain/list",
    docs: {
      summary: "The domains that the key may see, with all their records",
      query: [text("zone", "Only the domain of this zone."), ofUser, ...paging],
      answer: arrayOf("Domain"),
    },
    list: "domains",
    operation: domainListOperation,
    variables: (request) => ({ filter: { zone: queryText(request, "zone"), userId: queryText(request, "user_id") } }),
    pageSize: 50,
    isText: true,
  },
  {
    method: "get",
    path: "/domain/list/zone",
    docs: domainByDocs,
    operation: lookup("domain", domainFields(100)),
    variables: (request) => selectedBy(zoneOfQuery(request)),
    names: { zone: "name" },
    domain: (data) => sameObject<DomainData>(data.domain, data, "id"),
  },
  {
    method: "get",
    path: "/domain/list/zone/:zoneid",
    docs: domainByDocs,
    operation: lookup("domain", domainFields(100)),
    variables: (request) => selectedBy([zoneOfPath(request), ...zoneSelectors(request)]),
    names: zoneNamesOfPath,
    domain: (data) => sameObject<DomainData>(data.domain, data, "zoneid"),
  },
  {
    method: "get",
    path: "/domain/list/user/:userid",
    docs: { summary: "The user's oldest domain with all its records", answer: schemaOf("Domain") },
    operation: `query ($id: ID!) {
      user(by: { id: $id }) { domains(first: 1, orderBy: CREATED) { nodes { ${domainFields(100)} } totalCount } }
    }`,
    variables: (request) => ({ id: pathText(request, "userid") }),
    names: { id: "userid" },
    domain: (data) => data.user.domains.nodes[0],
    headers: ({ user }: { user: { domains: PageData<DomainData> } }, request) => ({
      "X-Total-Count": String(user.domains.totalCount),
      ...((user.domains.totalCount ?? 0) > 1 && {
        Link: `</api/domain/list?user_id=${pathText(request, "userid")}>; rel="collection"`,
      }),
    }),
  },
  {
    method: "post",
    path: "/domain/add",
    docs: {
      summary: "Creates a domain with default records: SOA, NS and www",
      body: [
        required({
          name: "user_id",
          schema: { type: ["string", "integer"] },
          description: "Id of the user who will own it.",
        }),
        zone,
      ],
      answer: schemaOf("CreatedDomain"),
      isChange: true,
    },
    status: 201,
    operation: `mutation ($input: CreateDomainInput!) {
      createDomain(input: $input) { domain { id zone } ${changeAndNotices} }
    }`,
    variables: (request) => ({ input: { userId: bodyId(request, "user_id"), zone: bodyText(request, "zone") } }),
    names: { userId: "user_id" },
    view: (data) => createdDomain.view(data.createDomain.domain),
  },
  {
    method: "delete",
    path: "/domain/delete",
    docs: {
      summary: "Deletes a domain with all its records; the zone is in the body or the query",
      query: [text("zone", "Zone name in any spelling.")],
      body: [text("zone", "Zone name in any spelling.")],
      isChange: true,
    },
    status: 204,
    operation: "mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { change { id serial } } }",
    variables: (request) => ({
      input: { by: { zone: bodyOrQueryText(request, "zone") ?? bodyText(request, "zone") } },
    }),
  },
  {
    method: "get",
    path: "/domain/history/:zone",
    docs: {
      summary: "The changes of a zone, the newest first",
      query: [
        text(
          "id",
          "The changes of the deleted zone that had this id, whatever the name in the path; without it those of the zone, or of the one of the name deleted last.",
          idText,
        ),
        yes(
          "records",
          "Show the records that each change added and removed, 100 of each at most, the SOA first where more of it than its serial changed.",
        ),
        text("owner", "Only changes that removed or added a record of this owner."),
        text("rtype", "Only changes of records of this type."),
        text("actor", "Only changes of this actor, such as `laptop (a0d623c6)`."),
        text("since", "Only changes at this time or later (RFC 3339)."),
        text("until", "Only changes before this time."),
        ...paging,
      ],
      answer: arrayOf("HistoryChange"),
    },
    list: "changes",
    of: "zoneHistory",
    operation: changesOperation,
    pageSize: 100,
    names: { type: "rtype", createdSince: "since", createdBefore: "until" },
    view: historyChange.view,
    variables: (request) => {
      const id = queryText(request, "id");
      return { by: id === undefined ? { zone: pathText(request, "zone") } : { id }, ...changesOfQuery(request) };
    },
  },
  {
    method: "get",
    path: "/change/:id",
    docs: { summary: "A change and its publication", answer: schemaOf("Change") },
    operation: `query ($id: ID!) { change(id: $id) { ${changeFields} } }`,
    variables: (request) => ({ id: pathText(request, "id") }),
    view: (data: { change: ChangeData }) => change.view(data.change),
  },
];
