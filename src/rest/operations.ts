/**
 * The parts of GraphQL operations that several REST paths have in common: the fields that they select, pages, and look-ups.
 */

/** What is read of a page of a list, and the variables that its operation has for it. */
export const pageFields = "pageInfo { hasNextPage endCursor } totalCount @include(if: $count)";
export const pageVariables = "$first: Int!, $after: String, $count: Boolean!";
export const userFields = "id email createdAt";
export const recordFields = "id owner rdata zone type ttl";
const innerRecords = "nodes { id owner rdata type ttl } pageInfo { hasNextPage endCursor }";
/** A domain with this many of its records, 1 to 1000, as REST names its fields; `$records` is the variable of the operation. */
export const domainFields = (records: number | "$records") =>
  `zone_id: id zone user { id email } records(first: ${records}) { ${innerRecords} }`;
const publicationFields = "publication { state serial since secondaries { name state serial seenAt lastError } }";
export const changeFields = `id zone kind previousSerial serial actor source createdAt ${publicationFields}`;
export const changeAndNotices = "change { id serial } notices { message }";

/** Reads a page of domains. */
export const domainListOperation = `query (${pageVariables}, $records: Int!, $filter: DomainFilter) {
  domains(first: $first, after: $after, filter: $filter) { nodes { ${domainFields("$records")} } ${pageFields} }
}`;

/** An operation that reads an object by up to three selectors; the view compares what they select. */
export const lookup = (noun: "user" | "domain", fields: string) => {
  const type = noun === "user" ? "UserSelector!" : "DomainSelector!";
  return `query ($by: ${type}, $by1: ${type}, $has1: Boolean!, $by2: ${type}, $has2: Boolean!) {
    ${noun}(by: $by) { id ${fields} }
    by1: ${noun}(by: $by1) @include(if: $has1) { id }
    by2: ${noun}(by: $by2) @include(if: $has2) { id }
  }`;
};

/** Reads the further records of a domain, a page at a time. */
export const moreRecordsQuery = `query ($id: ID!, $after: String!) {
  domain(by: { id: $id }) { records(first: 1000, after: $after) { ${innerRecords} } }
}`;

const someRecords = "(first: 100) @include(if: $withRecords) { nodes { owner type ttl rdata } }";

/** Reads a page of the changes of a zone, present or deleted. */
export const changesOperation = `query (${pageVariables}, $by: DomainSelector!, $owner: String, $type: RecordType, $actor: String,
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
