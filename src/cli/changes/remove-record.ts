/** `record remove`: one record by its id, or records by zone, owner, type and data. */
import {
  type CommandRow,
  type Given,
  mutation,
  noteOption,
  type OperationRow,
  runRow,
  yesOption,
} from "../command-rows/command-row.ts";
import { allOf, callGraphql, type DataOf, type Endpoint, pageInfo, pagesOf } from "../service/client.ts";

export const removeRecordRow: OperationRow = {
  words: "record remove <id-or-zone> [owner] [type] [rdata...]",
  description:
    "delete a record, by its id or as: record remove example.com app A 192.0.2.1; without data all of the type",
  isChange: true,
  ...mutation("deleteRecord", "notices { message } deletedId"),
  variables: ({ args: [recordId] }) => ({ input: { recordId } }),
  text: (_row, { args: [id] }) => `Record ${id} is deleted.`,
};

export const matchingDocument = `query ($after: String, $zone: String!, $owner: String!, $types: [RecordType!]!) {
  domain(by: { zone: $zone }) { records(first: 1000, after: $after, owner: $owner, types: $types) {
    nodes { id owner type rdata } ${pageInfo} } } }` as const;

export const canonicalDocument = `query ($zone: String!, $record: RecordInput!) { checkRecords(zone: $zone, records: [$record]) {
  rdata refusals { message } } }`;

type Found = DataOf<typeof matchingDocument>["domain"]["records"]["nodes"][number];

/** The records of an owner and type, with these data if any are given; throws a sentence where there are no such records. */
async function matching({ args }: Given, endpoint: Endpoint): Promise<readonly Found[]> {
  const [zone = "", owner = "", type = "", ...words] = args;
  const variables = { zone, owner, types: [type] };
  const records = await allOf(pagesOf(endpoint, matchingDocument, ({ domain }) => domain.records, variables));
  const text = words.join(" ");
  const rdata = text === "" ? undefined : await canonicalData(endpoint, zone, { owner, type, rdata: text });
  const removed = records.filter((record) => rdata === undefined || record.rdata === rdata);
  if (removed.length > 0) return removed;
  const there = records.length === 0 ? "" : `; its data: ${records.map((record) => record.rdata).join(", ")}`;
  throw new Error(`There is no record ${[owner, type, ...words].join(" ")} in ${zone}${there}.`);
}

/** Data in canonical form; throws the refusals of the service. */
async function canonicalData(endpoint: Endpoint, zone: string, record: Omit<Found, "id">): Promise<string> {
  const { checkRecords } = await callGraphql(endpoint, canonicalDocument, { zone, record });
  const [{ rdata, refusals }] = checkRecords as [(typeof checkRecords)[number]];
  if (rdata === null) throw new Error(refusals.map(({ message }) => message).join("\n"));
  return rdata;
}

export const removal = mutation(
  "changeRecords",
  "notices { message } change { id serial } removed { owner type ttl rdata }",
);

/** Removes several records in one change. */
const removeFoundRow = (records: readonly Found[]): OperationRow => ({
  ...removeRecordRow,
  ...removal,
  variables: ({ args: [zone] }) => ({ input: { zone, remove: records.map(({ id }) => id) } }),
  question: async ({ args: [zone] }) => {
    if (records.length === 1) return undefined;
    const lines = records.map(({ owner, type, rdata }) => `  ${owner} ${type} ${rdata}\n`).join("");
    const consequence = `${lines}This deletes these ${records.length} records of ${zone}.`;
    return { consequence, expected: "yes", called: "yes" };
  },
  text: ({ removed }) =>
    (removed as readonly Found[])
      .filter(({ type }) => type !== "SOA")
      .map(({ owner, type, rdata }) => `${owner} ${type} ${rdata} is deleted.`)
      .join("\n"),
});

export const removeRow: CommandRow = {
  ...removeRecordRow,
  options: [noteOption, yesOption],
  run: async (given, { endpoint }) => {
    const [first = "", owner, type, ...data] = given.args;
    if (owner === undefined && /^\d+$/.test(first)) return runRow(removeRecordRow, given, endpoint);
    if (type === undefined)
      given.refuse("write the id of a record, or its zone, owner and type, and its data if there are others");
    // An empty variable of the shell means one record, not all.
    if (data.length > 0 && data.join("").trim() === "")
      given.refuse("the data are empty; leave them out if all records of the type are meant");
    return runRow(removeFoundRow(await matching(given, endpoint)), given, endpoint);
  },
};
