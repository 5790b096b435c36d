/**
 * The documented REST paths as a table: method, path, status, GraphQL operation, its variables, and the view of its
 * result. Every operation is parsed and validated against the schema at start.
 */
import {
  changesOfQuery,
  type FieldNames,
  isForced,
  onDomains,
  recordFromBody,
  selectedBy,
  userSelectors,
  zoneNamesOfPath,
  zoneOfPath,
  zoneOfQuery,
  zoneSelectors,
} from "./operation-variables.ts";
import {
  changeAndNotices,
  changeFields,
  changesOperation,
  domainFields,
  domainListOperation,
  lookup,
  pageFields,
  pageVariables,
  recordFields,
  userFields,
} from "./operations.ts";
import { bodyId, bodyOrQueryText, bodyText, pathText, queryText } from "./request.ts";
import {
  type ChangeData,
  changeHeaders,
  changeView,
  createdUserView,
  type DomainData,
  type HistoryData,
  historyView,
  type PageData,
  type RecordData,
  recordView,
  sameObject,
  type UserData,
  userView,
} from "./response-bodies.ts";
import type { Route } from "./route.ts";
import { docs } from "./route-docs.ts";

/** How REST writes values of types of the schema: ids as numbers, TTLs as texts. */
export const textLeaves = { ID: "plain", Int: "quoted" } as const;

const listNames: FieldNames = { first: "limit", after: "cursor", userId: "user_id", "types.0": "type" };

/** The user of a mutation, whose id the path has. */
const namesOfUser: FieldNames = { by: "id" };

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
      createRecord(input: $input) { record { ${recordFields} } ${changeAndNotices} }
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
      updateRecord(input: $input) { record { ${recordFields} } ${changeAndNotices} }
    }`,
    variables: (request) => ({
      input: { recordId: pathText(request, "id"), ...recordFromBody(request), force: isForced(request) },
    }),
    names: { recordId: "id", type: "rtype" },
    fields: [...recordFieldNames, "force"],
    view: (data) => recordView(data.updateRecord.record),
    headers: (data) => changeHeaders(data.updateRecord),
  },
  {
    method: "delete",
    path: "/record/delete/:id",
    docs: docs.recordDelete,
    status: 204,
    operation: `mutation ($input: DeleteRecordInput!) { deleteRecord(input: $input) { ${changeAndNotices} } }`,
    variables: (request) => ({ input: { recordId: pathText(request, "id") } }),
    names: { recordId: "id" },
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
    variables: (request) => ({ input: { by: { id: pathText(request, "id") }, email: bodyText(request, "email") } }),
    names: namesOfUser,
    view: (data) => ({ email: data.updateUser.user.email }),
  },
  {
    method: "delete",
    path: "/user/delete/:id",
    docs: docs.userDelete,
    status: 204,
    operation: "mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }",
    variables: (request) => ({ input: { by: { id: pathText(request, "id") }, onDomains: onDomains(request) } }),
    names: namesOfUser,
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
    isText: true,
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
      createDomain(input: $input) { domain { id zone } ${changeAndNotices} }
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
    variables: (request) => ({
      input: { by: { zone: bodyOrQueryText(request, "zone") ?? bodyText(request, "zone") } },
    }),
    headers: (data) => changeHeaders(data.deleteDomain),
  },
  {
    method: "get",
    path: "/domain/history/:zone",
    docs: docs.domainHistory,
    list: "changes",
    of: "zoneHistory",
    operation: changesOperation,
    pageSize: 100,
    names: { ...listNames, type: "rtype", createdSince: "since", createdBefore: "until" },
    view: (node: HistoryData) => historyView(node),
    variables: (request) => {
      const id = queryText(request, "id");
      return { by: id === undefined ? { zone: pathText(request, "zone") } : { id }, ...changesOfQuery(request) };
    },
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
