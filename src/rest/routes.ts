/**
 * The documented REST paths as a table: method, path, status, GraphQL operation, its variables, and the view of its
 * result. Every operation is parsed and validated against the schema at start.
 */

import {
  type FieldNames,
  isForced,
  onDomains,
  recordFromBody,
  selectedBy,
  userSelectors,
  type Variables,
  zoneNamesOfPath,
  zoneOfPath,
  zoneOfQuery,
  zoneSelectors,
} from "./operation-variables.ts";
import { bodyId, bodyOrQueryText, bodyText, pathText, queryText, type RestRequest } from "./request.ts";
import {
  type ChangeData,
  changeHeaders,
  changeView,
  createdUserView,
  type DomainData,
  type PageData,
  type RecordData,
  recordView,
  sameObject,
  type UserData,
  userView,
} from "./response-bodies.ts";

import { docs, type RouteDocs } from "./route-docs.ts";

// biome-ignore lint/suspicious/noExplicitAny: data has the form of its operation, which is validated at start
type Data = any;

/** A path whose response is one object; without a view it has no body. */
export interface OneRoute {
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly docs: RouteDocs;
  readonly status: 200 | 201 | 204;
  readonly operation: string;
  readonly variables: (request: RestRequest) => Variables;
  readonly view?: (data: Data) => unknown;
  /** Selects a domain of the data, which is then streamed with all its records. */
  readonly domain?: (data: Data) => DomainData | undefined;
  readonly names?: FieldNames | ((request: RestRequest) => FieldNames);
  readonly headers?: (data: Data, request: RestRequest) => Record<string, string | readonly string[]>;
  /** The fields of the body, where its data may hold the & that ends a field of a form. */
  readonly fields?: readonly string[];
}

/** A path whose response is a whole list, streamed, or a page of it when `limit` or `cursor` is sent. */
export interface ListRoute {
  readonly method: "get";
  readonly path: string;
  readonly docs: RouteDocs;
  readonly list: "users" | "records" | "domains";
  readonly operation: string;
  readonly variables: (request: RestRequest) => Variables;
  /** Rows of each page that is read, 1 to 1000. */
  readonly pageSize: number;
  readonly view?: (node: Data) => unknown;
  /** Whether the rows that the operation selects are those of the view, but for the form of their values (textLeaves). */
  readonly isText?: true;
  readonly names?: FieldNames;
  /** Whether this route leaves the request to the next route of the same path. */
  readonly unless?: (request: RestRequest) => boolean;
}

export type Route = OneRoute | ListRoute;

/** How REST writes values of types of the schema: ids as numbers, TTLs as texts. */
export const textLeaves = { ID: "plain", Int: "quoted" } as const;

const pageFields = "pageInfo { hasNextPage endCursor } totalCount @include(if: $count)";
const pageVariables = "$first: Int!, $after: String, $count: Boolean!";
const userFields = "id email createdAt";
const recordFields = "id owner rdata zone type ttl";
const innerRecords = "nodes { id owner rdata type ttl } pageInfo { hasNextPage endCursor }";
const domainFields = (records: number | "$records") =>
  `id zone user { id email } records(first: ${records}) { ${innerRecords} }`;
const publicationFields =
  "publication { state serial since secondaries { secondary { name } state serial seenAt lastError } }";
const changeFields = `id zone kind previousSerial serial actor door createdAt ${publicationFields}`;
const listNames: FieldNames = { first: "limit", after: "cursor", userId: "user_id", "types.0": "type" };
const changeAndWarnings = "change { id serial } warnings";

/** Reads a page of domains. */
export const domainListOperation = `query (${pageVariables}, $records: Int!, $filter: DomainFilter) {
  domains(first: $first, after: $after, filter: $filter) { nodes { ${domainFields("$records")} } ${pageFields} }
}`;

/** An operation that reads an object by up to three selectors; the view compares what they select. */
const lookup = (noun: "user" | "domain", fields: string) => {
  const type = noun === "user" ? "UserSelector!" : "DomainSelector!";
  return `query ($by: ${type}, $by1: ${type}, $has1: Boolean!, $by2: ${type}, $has2: Boolean!) {
    ${noun}(by: $by) { ${fields} }
    by1: ${noun}(by: $by1) @include(if: $has1) { id }
    by2: ${noun}(by: $by2) @include(if: $has2) { id }
  }`;
};

/** Reads the further records of a domain, a page at a time. */
export const moreRecordsQuery = `query ($id: ID!, $after: String!) {
  domain(by: { id: $id }) { records(first: 1000, after: $after) { ${innerRecords} } }
}`;

const recordFieldNames = ["zone", "owner", "rtype", "rdata", "ttl"];

/** The table, in the order of the documented interface. */
export const routes: readonly Route[] = [
  {
    method: "get",
    path: "/record/list",
    docs: docs.recordList,
    list: "records",
    operation: `query (${pageVariables}, $filter: RecordFilter) {
      records(first: $first, after: $after, filter: $filter) { nodes { ${recordFields} } ${pageFields} }
    }`,
    variables: (request) => ({
      filter: {
        zone: queryText(request, "zone"),
        owner: queryText(request, "owner"),
        types: queryText(request, "type"),
        userId: queryText(request, "user_id"),
      },
    }),
    pageSize: 1000,
    names: listNames,
    view: (node: RecordData) => recordView(node),
    isText: true,
  },
  {
    method: "get",
    path: "/record/list/:id",
    docs: docs.record,
    status: 200,
    operation: `query ($id: ID!) { record(id: $id) { ${recordFields} } }`,
    variables: (request) => ({ id: pathText(request, "id") }),
    view: (data) => recordView(data.record),
  },
  {
    method: "post",
    path: "/record/add",
    docs: docs.recordAdd,
    status: 201,
    operation: `mutation ($input: CreateRecordInput!) {
      createRecord(input: $input) { record { ${recordFields} } ${changeAndWarnings} }
    }`,
    variables: (request) => ({ input: recordFromBody(request) }),
    names: { type: "rtype" },
    fields: recordFieldNames,
    view: (data) => recordView(data.createRecord.record),
    headers: (data) => changeHeaders(data.createRecord),
  },
  {
    method: "put",
    path: "/record/edit/:id",
    docs: docs.recordEdit,
    status: 200,
    operation: `mutation ($input: UpdateRecordInput!) {
      updateRecord(input: $input) { record { ${recordFields} } ${changeAndWarnings} }
    }`,
    variables: (request) => ({
      input: { id: pathText(request, "id"), ...recordFromBody(request), force: isForced(request) },
    }),
    names: { type: "rtype" },
    fields: [...recordFieldNames, "force"],
    view: (data) => recordView(data.updateRecord.record),
    headers: (data) => changeHeaders(data.updateRecord),
  },
  {
    method: "delete",
    path: "/record/delete/:id",
    docs: docs.recordDelete,
    status: 204,
    operation: `mutation ($input: DeleteRecordInput!) { deleteRecord(input: $input) { ${changeAndWarnings} } }`,
    variables: (request) => ({ input: { id: pathText(request, "id") } }),
    headers: (data) => changeHeaders(data.deleteRecord),
  },
  {
    method: "get",
    path: "/user/list",
    docs: docs.userList,
    list: "users",
    operation: `query (${pageVariables}) {
      users(first: $first, after: $after) { nodes { ${userFields} } ${pageFields} }
    }`,
    variables: () => ({}),
    pageSize: 1000,
    names: listNames,
    view: (node: UserData) => userView(node),
    unless: (request) => userSelectors(request).length > 0,
  },
  {
    method: "get",
    path: "/user/list",
    docs: docs.userBy,
    status: 200,
    operation: lookup("user", userFields),
    variables: (request) => selectedBy(userSelectors(request)),
    view: (data) => userView(sameObject<UserData>(data.user, data, "id")),
  },
  {
    method: "get",
    path: "/user/list/:id",
    docs: docs.user,
    status: 200,
    operation: lookup("user", userFields),
    variables: (request) => selectedBy([{ id: pathText(request, "id") }, ...userSelectors(request)]),
    view: (data) => userView(sameObject<UserData>(data.user, data, "id")),
  },
  {
    method: "post",
    path: "/user/add",
    docs: docs.userAdd,
    status: 201,
    operation: `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${userFields} } } }`,
    variables: (request) => ({ input: { email: bodyText(request, "email") } }),
    view: (data) => createdUserView(data.createUser.user),
  },
  {
    method: "put",
    path: "/user/edit/:id",
    docs: docs.userEdit,
    status: 200,
    operation: "mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { email } } }",
    variables: (request) => ({ input: { id: pathText(request, "id"), email: bodyText(request, "email") } }),
    view: (data) => ({ email: data.updateUser.user.email }),
  },
  {
    method: "delete",
    path: "/user/delete/:id",
    docs: docs.userDelete,
    status: 204,
    operation: "mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }",
    variables: (request) => ({ input: { id: pathText(request, "id"), onDomains: onDomains(request) } }),
  },
  {
    method: "get",
    path: "/domain/list",
    docs: docs.domainList,
    list: "domains",
    operation: domainListOperation,
    variables: (request) => ({ filter: { zone: queryText(request, "zone"), userId: queryText(request, "user_id") } }),
    pageSize: 50,
    names: listNames,
  },
  {
    method: "get",
    path: "/domain/list/zone",
    docs: docs.domainBy,
    status: 200,
    operation: lookup("domain", domainFields(100)),
    variables: (request) => selectedBy(zoneOfQuery(request)),
    names: { zone: "name" },
    domain: (data) => sameObject<DomainData>(data.domain, data, "id"),
  },
  {
    method: "get",
    path: "/domain/list/zone/:zoneid",
    docs: docs.domainBy,
    status: 200,
    operation: lookup("domain", domainFields(100)),
    variables: (request) => selectedBy([zoneOfPath(request), ...zoneSelectors(request)]),
    names: zoneNamesOfPath,
    domain: (data) => sameObject<DomainData>(data.domain, data, "zoneid"),
  },
  {
    method: "get",
    path: "/domain/list/user/:userid",
    docs: docs.domainOfUser,
    status: 200,
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
    docs: docs.domainAdd,
    status: 201,
    operation: `mutation ($input: CreateDomainInput!) {
      createDomain(input: $input) { domain { id zone } ${changeAndWarnings} }
    }`,
    variables: (request) => ({ input: { userId: bodyId(request, "user_id"), zone: bodyText(request, "zone") } }),
    names: { userId: "user_id" },
    view: (data) => ({ id: Number(data.createDomain.domain.id), zone: data.createDomain.domain.zone }),
    headers: (data) => changeHeaders(data.createDomain),
  },
  {
    method: "delete",
    path: "/domain/delete",
    docs: docs.domainDelete,
    status: 204,
    operation: "mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { change { id serial } } }",
    variables: (request) => ({ input: { zone: bodyOrQueryText(request, "zone") ?? bodyText(request, "zone") } }),
    headers: (data) => changeHeaders(data.deleteDomain),
  },
  {
    method: "get",
    path: "/change/:id",
    docs: docs.change,
    status: 200,
    operation: `query ($id: ID!) { change(id: $id) { ${changeFields} } }`,
    variables: (request) => ({ id: pathText(request, "id") }),
    view: (data: { change: ChangeData }) => changeView(data.change),
  },
];
