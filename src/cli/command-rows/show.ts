/**
 * `show`: the records of a zone, as they are or as they were at a moment.
 */
import type { Command } from "commander";
import type { Endpoint } from "../service/client.ts";
import { momentForms, readMoment } from "../terminal/moment.ts";
import { dataColumn } from "../terminal/print.ts";
import { addCommand, type CommandRow, runRow } from "./command-row.ts";
import { zoneHistory } from "./history-rows.ts";

const selection = "owner ttl type rdata";
const selectors = "$owner: String, $types: [RecordType!]";
const pageInfo = "pageInfo { hasNextPage endCursor }";

export const showRow: CommandRow = {
  words: "show <zone>",
  description: "list the records of a zone, as they are or as they were",
  options: [
    ["--at <moment>", `as it was: ${momentForms}`],
    ["--owner <owner>", "only those of this owner; @ is the apex"],
    ["--type <type>", "only those of this type"],
  ],
  document: `query ($after: String, $zone: String!, ${selectors}) { domain(by: { zone: $zone }) {
    records(first: 1000, after: $after, owner: $owner, types: $types) { nodes { id ${selection} } ${pageInfo} } } }`,
  variables: ({ args: [zone], options: { owner, type } }) => ({ zone, owner, ...(type && { types: [type] }) }),
  result: "domain.records.nodes",
  columns: [["id", "id"], ["owner", "owner"], ["ttl", "ttl"], ["type", "type"], dataColumn],
};

export const showAtRow: CommandRow = {
  ...showRow,
  document: `query ($after: String, $zone: String!, ${selectors}, $moment: MomentInput!) {
    ${zoneHistory} at(moment: $moment) {
      records(first: 1000, after: $after, owner: $owner, types: $types) { nodes { id: recordId ${selection} } ${pageInfo} } } } }`,
  variables: async (given, endpoint) => ({
    ...(await showRow.variables?.(given, endpoint)),
    moment: readMoment(String(given.options.at)),
  }),
  result: "zoneHistory.at.records.nodes",
};

/** Adds the command. */
export function showCommand(program: Command, endpoint: () => Endpoint): void {
  const run = (given: Parameters<typeof runRow>[1]) =>
    runRow(given.options.at === undefined ? showRow : showAtRow, given, endpoint());
  addCommand(program, showRow, run, showRow.words);
}
