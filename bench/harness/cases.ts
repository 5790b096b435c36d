/**
 * What is asked, of the floor and of the service: both give the same answer. `n` counts the questions, each of another zone or record.
 */

import { pageOf } from "../../src/sql/pagination.ts";
import { type DomainRow, domainOrders } from "../../src/zone/domain.ts";
import { addressId, editedHosts, editedZone, type Size, userId, zoneName } from "./data.ts";

/** An HTTP request. */
export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

/** One thing that is measured. A case that writes may ask each `n` only once. */
export interface Case {
  readonly name: string;
  readonly writes: boolean;
  readonly floor: (n: number, size: Size) => Question;
  readonly service: (n: number, size: Size) => Question;
}

export const adminKey = "bench-administrator-key-0123456789";

const get = (path: string): Question => ({ method: "GET", path });
const post = (path: string, body: unknown): Question => ({ method: "POST", path, body });
const graphql = (query: string, variables: unknown) => post("/graphql", { query, variables });

const domainFields = "id zone serial user { id email } records(first: 10) { nodes { id owner type ttl rdata } }";
const zoneQuery = `query Zone($zone: String!) { domain(by: { zone: $zone }) { ${domainFields} } }`;
const pageQuery = `query Page($after: String) { domains(first: 50, after: $after) { nodes { ${domainFields} } pageInfo { hasNextPage } } }`;
const recordQuery = "query Record($id: ID!) { record(id: $id) { id owner type ttl rdata zone } }";
const addRecord =
  "mutation Add($input: CreateRecordInput!) { createRecord(input: $input) { record { id owner type ttl rdata } change { id serial } } }";
const createDomain =
  "mutation Create($input: CreateDomainInput!) { createDomain(input: $input) { domain { id zone serial } change { id } } }";

const changeRecords =
  "mutation Change($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { id serial } } }";

/** Spreads the questions over all there is, so that no two in a row meet the same rows. */
const spread = (n: number, count: number) => (n * 7919) % count;
const zoneOf = (n: number, { zones }: Size) => zoneName(spread(n, zones));
const beforePage = (n: number, { zones }: Size) => zoneName(spread(n, zones - 51));
const idOf = (n: number, { zones }: Size) => addressId(spread(n, zones));
/** The cursor of the zone of this name, of which nothing else is looked at. */
const cursorOf = (zone: string) =>
  pageOf([], { first: 50, order: "ZONE" }, domainOrders.ZONE, async () => 0).cursor({ zone } as DomainRow);

const newRecord = (n: number, size: Size) => ({
  zone: zoneOf(n, size),
  owner: `new-${String(n).padStart(7, "0")}`,
  type: "A",
  ttl: 3600,
  rdata: "192.0.2.123",
});
const newDomain = (n: number) => ({
  zone: `new-${String(n).padStart(7, "0")}.example`,
  userId: String(userId(n)),
});

/** The cases in the order they run: those that write come last. */
export const cases: readonly Case[] = [
  {
    name: "one zone with owner and 10 records, GraphQL",
    writes: false,
    floor: (n, size) => get(`/zone/${zoneOf(n, size)}`),
    service: (n, size) => graphql(zoneQuery, { zone: zoneOf(n, size) }),
  },
  {
    name: "one zone with owner and all 12 records, REST",
    writes: false,
    floor: (n, size) => get(`/rest-zone/${zoneOf(n, size)}`),
    service: (n, size) => get(`/api/domain/list/zone/${zoneOf(n, size)}`),
  },
  {
    name: "50 zones, each with owner and 10 records, GraphQL",
    writes: false,
    floor: (n, size) => get(`/page/${beforePage(n, size)}`),
    service: (n, size) => graphql(pageQuery, { after: cursorOf(beforePage(n, size)) }),
  },
  {
    name: "one record by id, GraphQL",
    writes: false,
    floor: (n, size) => get(`/record/${idOf(n, size)}`),
    service: (n, size) => graphql(recordQuery, { id: String(idOf(n, size)) }),
  },
  {
    name: "one record by id, REST",
    writes: false,
    floor: (n, size) => get(`/rest-record/${idOf(n, size)}`),
    service: (n, size) => get(`/api/record/list/${idOf(n, size)}`),
  },
  {
    name: "add one record, GraphQL",
    writes: true,
    floor: (n, size) => post("/add", newRecord(n, size)),
    service: (n, size) => graphql(addRecord, { input: newRecord(n, size) }),
  },
  {
    name: "create a domain, GraphQL",
    writes: true,
    floor: (n) => post("/create", newDomain(n)),
    service: (n) => graphql(createDomain, { input: newDomain(n) }),
  },
  {
    name: "change 100 records of a zone, GraphQL",
    writes: true,
    floor: (n, size) => post("/change", { zone: editedZone(n), update: editedHosts(n, size) }),
    service: (n, size) => graphql(changeRecords, { input: { zone: editedZone(n), update: editedHosts(n, size) } }),
  },
];

/** The headers that both are sent. */
export const headers: Readonly<Record<string, string>> = {
  "X-API-Key": adminKey,
  "Content-Type": "application/json",
};
