/**
 * What is asked, of the floor and of the service: both give the same answer. `n` counts the questions, each of another zone or record.
 */

import { pageOf } from "../../src/sql/pagination.ts";
import { type DomainRow, domainOrders } from "../../src/zone/domain.ts";
import { type RecordRow, recordOrders } from "../../src/zone/record.ts";
import { nameWire } from "../floor/floor-sql.ts";
import { addressId, editedHosts, editedZone, largeZone, largeZoneId, type Size, userId, zoneName } from "./data.ts";

/** An HTTP request. */
export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

/** Who is asked: the floor, the same floor with pipelined statements, the service, and the peer. */
export const sides = ["floor", "pipelined", "service", "peer"] as const;
export type SideName = (typeof sides)[number];

/** The part of the peer's cursors that stands for an order: of domains by zone, and of records by id. */
export interface PeerCursors {
  readonly zone: string;
  readonly id: string;
}

/** One thing that is measured. A case that writes may ask each `n` only once. */
export interface Case {
  readonly name: string;
  readonly writes: boolean;
  /** Whether answers differ in length. */
  readonly varies?: boolean;
  readonly floor: (n: number, size: Size) => Question;
  readonly service: (n: number, size: Size) => Question;
  /** Left out where the peer has nothing of the kind. */
  readonly peer?: (n: number, size: Size, cursors: PeerCursors) => Question;
}

/** The question of a side. */
export function questionOf(asked: Case, side: SideName, n: number, size: Size, cursors: PeerCursors): Question {
  if (side === "peer" && asked.peer) return asked.peer(n, size, cursors);
  return side === "service" ? asked.service(n, size) : asked.floor(n, size);
}

export const adminKey = "bench-administrator-key-0123456789";

const get = (path: string): Question => ({ method: "GET", path });
const post = (path: string, body: unknown): Question => ({ method: "POST", path, body });
const graphql = (query: string, variables: unknown) => post("/graphql", { query, variables });

/** What a question of the page of 1,000 records asks for, which comes in the order of creation. */
const pageOfRecords = 1000;

const domainFields = "id zone serial user { id email } records(first: 10) { nodes { id owner type ttl rdata } }";
const zoneQuery = `query Zone($zone: String!) { domain(by: { zone: $zone }) { ${domainFields} } }`;
const pageQuery = `query Page($after: String) { domains(first: 50, after: $after) { nodes { ${domainFields} } pageInfo { hasNextPage } } }`;
const recordQuery = "query Record($id: ID!) { record(id: $id) { id owner type ttl rdata zone } }";
const recordsQuery = `query Records($zone: String!, $after: String) { domain(by: { zone: $zone }) { records(first: ${pageOfRecords}, after: $after, orderBy: CREATED) { nodes { id owner type ttl rdata } pageInfo { hasNextPage } } } }`;
const searchQuery =
  "query Search($text: String!) { records(first: 100, filter: { rdataContains: $text }) { nodes { id owner type ttl rdata zone } } }";
const addRecord =
  "mutation Add($input: CreateRecordInput!) { createRecord(input: $input) { record { id owner type ttl rdata } change { id serial } } }";
const changeRecords =
  "mutation Change($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { id serial } } }";
const createDomain =
  "mutation Create($input: CreateDomainInput!) { createDomain(input: $input) { domain { id zone serial } change { id } } }";

const peerDomainFields =
  "id: rowId zone serial user: userByUserId { id: rowId email } records: zoneRecordsByDomainId(first: 10, orderBy: [POSITION_ASC, PRIMARY_KEY_ASC]) { nodes { id: rowId owner type ttl rdata } }";
const peerZoneQuery = `query Zone($zone: String!) { domain: domainByZone(zone: $zone) { ${peerDomainFields} } }`;
const peerPageQuery = `query Page($after: Cursor) { domains: allDomains(first: 50, after: $after, orderBy: [ZONE_ASC]) { nodes { ${peerDomainFields} } pageInfo { hasNextPage } } }`;
const peerRecordQuery =
  "query Record($id: BigInt!) { record: zoneRecordByRowId(rowId: $id) { id: rowId owner type ttl rdata domain: domainByDomainId { zone } } }";
const peerRecordsQuery = `query Records($zone: String!, $after: Cursor) { domain: domainByZone(zone: $zone) { records: zoneRecordsByDomainId(first: ${pageOfRecords}, after: $after, orderBy: [PRIMARY_KEY_ASC]) { nodes { id: rowId owner type ttl rdata } pageInfo { hasNextPage } } } }`;
const peerSearchQuery =
  "query Search($text: String!) { records: peerSearch(text: $text, first: 100) { nodes { id: rowId owner type ttl rdata domain: domainByDomainId { zone } } } }";
const peerAddRecord =
  "mutation Add($input: PeerAddInput!) { peerAdd(input: $input) { result { id: rowId owner type ttl rdata changeId serial } } }";
const peerChangeRecords =
  "mutation Change($input: PeerChangeInput!) { peerChange(input: $input) { result { id: rowId serial } } }";
const peerCreateDomain =
  "mutation Create($input: PeerCreateInput!) { peerCreate(input: $input) { result { id: rowId zone serial changeId } } }";
/** A cursor of the peer, made as it makes them. */
const peerCursor = (order: string, key: string) => Buffer.from(JSON.stringify([order, key])).toString("base64");

/** Spreads the questions over all there is, so that no two in a row meet the same rows. */
const spread = (n: number, count: number) => (n * 7919) % count;
const zoneOf = (n: number, { zones }: Size) => zoneName(spread(n, zones));
const beforePage = (n: number, { zones }: Size) => zoneName(spread(n, zones - 51));
const idOf = (n: number, { zones }: Size) => addressId(spread(n, zones));
/** The cursor of the zone of this name, of which nothing else is looked at. */
const cursorOf = (zone: string) =>
  pageOf([], { first: 50, order: "ZONE" }, domainOrders.ZONE, async () => 0).cursor({ zone } as DomainRow);

/** The cursor of a record, in the order of creation. */
const recordCursorOf = (id: number) =>
  pageOf([], { first: 50, order: "CREATED" }, recordOrders.CREATED, async () => 0).cursor({ id } as RecordRow);
/** The record of the large zone before the page that is asked for. */
const beforeRecords = (n: number, size: Size) => largeZoneId(size, spread(n, size.records - pageOfRecords - 1));
/** A text that is in the data of 256 records, of addresses one after the other. */
const searched = (n: number, { zones }: Size) => `db8::1${(n % Math.floor(zones / 256)).toString(16)}`;

const newRecord = (n: number, size: Size) => ({
  zone: zoneOf(n, size),
  owner: `new-${String(n).padStart(7, "0")}`,
  type: "A",
  ttl: 3600,
  rdata: "192.0.2.123",
});
const addressWire = ({ rdata }: { readonly rdata: string }) =>
  Buffer.from(rdata.split(".").map(Number)).toString("base64");
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
    peer: (n, size) => graphql(peerZoneQuery, { zone: zoneOf(n, size) }),
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
    peer: (n, size, { zone }) => graphql(peerPageQuery, { after: peerCursor(zone, beforePage(n, size)) }),
  },
  {
    name: "one record by id, GraphQL",
    writes: false,
    floor: (n, size) => get(`/record/${idOf(n, size)}`),
    service: (n, size) => graphql(recordQuery, { id: String(idOf(n, size)) }),
    peer: (n, size) => graphql(peerRecordQuery, { id: String(idOf(n, size)) }),
  },
  {
    name: "one record by id, REST",
    writes: false,
    floor: (n, size) => get(`/rest-record/${idOf(n, size)}`),
    service: (n, size) => get(`/api/record/list/${idOf(n, size)}`),
  },
  {
    name: "a page of 1,000 records of a large zone, GraphQL",
    writes: false,
    floor: (n, size) => get(`/records/${beforeRecords(n, size)}`),
    service: (n, size) => graphql(recordsQuery, { zone: largeZone, after: recordCursorOf(beforeRecords(n, size)) }),
    peer: (n, size, { id }) =>
      graphql(peerRecordsQuery, { zone: largeZone, after: peerCursor(id, String(beforeRecords(n, size))) }),
  },
  {
    name: "100 records whose data contains a text, GraphQL",
    writes: false,
    varies: true,
    floor: (n, size) => get(`/search/${searched(n, size)}`),
    service: (n, size) => graphql(searchQuery, { text: searched(n, size) }),
    peer: (n, size) => graphql(peerSearchQuery, { text: searched(n, size) }),
  },
  {
    name: "add one record, GraphQL",
    writes: true,
    floor: (n, size) => post("/add", newRecord(n, size)),
    service: (n, size) => graphql(addRecord, { input: newRecord(n, size) }),
    peer: (n, size) =>
      graphql(peerAddRecord, { input: { ...newRecord(n, size), wire: addressWire(newRecord(n, size)) } }),
  },
  {
    name: "create a domain, GraphQL",
    writes: true,
    floor: (n) => post("/create", newDomain(n)),
    service: (n) => graphql(createDomain, { input: newDomain(n) }),
    peer: (n) => {
      const { zone, userId } = newDomain(n);
      return graphql(peerCreateDomain, { input: { zone, userId, wire: nameWire(zone).toString("base64") } });
    },
  },
  {
    name: "change 100 records of a zone, GraphQL",
    writes: true,
    floor: (n, size) => post("/change", { zone: editedZone(n), update: editedHosts(n, size) }),
    service: (n, size) => graphql(changeRecords, { input: { zone: editedZone(n), update: editedHosts(n, size) } }),
    peer: (n, size) => {
      const hosts = editedHosts(n, size);
      const [ids, rdatas] = [hosts.map(({ id }) => id), hosts.map(({ rdata }) => rdata)];
      return graphql(peerChangeRecords, { input: { zone: editedZone(n), ids, rdatas, wires: hosts.map(addressWire) } });
    },
  },
];

/** The headers that both are sent. */
export const headers: Readonly<Record<string, string>> = {
  "X-API-Key": adminKey,
  "Content-Type": "application/json",
};
