/** The paths of records. */
import { arrayOf, record, schemaOf } from "./bodies.ts";
import { ofUser, paging, required, text, yes, zone } from "./parameters.ts";
import { bodyOrQueryText, bodyText, bodyTtl, isYes, pathText, queryText, type RestRequest } from "./request.ts";
import type { Parameter, Route, Variables } from "./route-form.ts";
import { changeAndNotices, pageFields, pageVariables } from "./shared-parts.ts";

const recordFields = "id owner rdata zone type ttl";

const recordFromBody = (request: RestRequest): Variables => ({
  zone: bodyText(request, "zone"),
  owner: bodyText(request, "owner"),
  type: bodyText(request, "rtype"),
  rdata: bodyText(request, "rdata"),
  ttl: bodyTtl(request, "ttl"),
});

/** Whether an edit of an SOA may make its serial leap: `force=yes`, in the query or the body. */
const isForced = (request: RestRequest) => isYes("force", bodyOrQueryText(request, "force"));

const bodyFields: readonly Parameter[] = [
  zone,
  required(text("owner", "Owner: relative to the zone, absolute with a trailing dot, or `@` for the apex.")),
  required(text("rtype", "Record type.", { examples: ["A", "MX", "TXT"] })),
  required(text("rdata", "Record data in presentation form; that of a TXT may be plain text.")),
  required({
    name: "ttl",
    schema: { type: ["integer", "string", "null"], examples: [3600] },
    description:
      "Time to live, seconds: one of the configured choices, or the RRset's present one. null in JSON is the RRset's, or 3600.",
  }),
];
const force = yes("force", "Accept an SOA serial more than 10,000,000 ahead.");

export const recordRoutes: readonly Route[] = [
  {
    method: "get",
    path: "/record/list",
    docs: {
      summary: "The records of all zones that the key may see",
      query: [
        text("zone", "Only records of this zone."),
        text("owner", "Only records of this owner."),
        text("type", "Only records of this type."),
        ofUser,
        ...paging,
      ],
      answer: arrayOf("Record"),
    },
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
    view: record.view,
    isText: true,
  },
  {
    method: "get",
    path: "/record/list/:id",
    docs: { summary: "One record", answer: schemaOf("Record") },
    operation: `query ($id: ID!) { record(id: $id) { ${recordFields} } }`,
    variables: (request) => ({ id: pathText(request, "id") }),
    view: (data) => record.view(data.record),
  },
  {
    method: "post",
    path: "/record/add",
    docs: { summary: "Adds a record to a zone", body: bodyFields, answer: schemaOf("Record"), isChange: true },
    status: 201,
    operation: `mutation ($input: CreateRecordInput!) {
      createRecord(input: $input) { record { ${recordFields} } ${changeAndNotices} }
    }`,
    variables: (request) => ({ input: recordFromBody(request) }),
    names: { type: "rtype" },
    hasData: true,
    view: (data) => record.view(data.createRecord.record),
  },
  {
    method: "put",
    path: "/record/edit/:id",
    docs: {
      summary: "Edits a record; an edit that changes nothing leaves the serial",
      query: [force],
      body: [...bodyFields, force],
      answer: schemaOf("Record"),
      isChange: true,
    },
    operation: `mutation ($input: UpdateRecordInput!) {
      updateRecord(input: $input) { record { ${recordFields} } ${changeAndNotices} }
    }`,
    variables: (request) => ({
      input: { recordId: pathText(request, "id"), ...recordFromBody(request), force: isForced(request) },
    }),
    names: { recordId: "id", type: "rtype" },
    hasData: true,
    view: (data) => record.view(data.updateRecord.record),
  },
  {
    method: "delete",
    path: "/record/delete/:id",
    docs: { summary: "Deletes a record; not the SOA, nor the last NS at the apex", isChange: true },
    status: 204,
    operation: `mutation ($input: DeleteRecordInput!) { deleteRecord(input: $input) { ${changeAndNotices} } }`,
    variables: (request) => ({ input: { recordId: pathText(request, "id") } }),
    names: { recordId: "id" },
  },
];
