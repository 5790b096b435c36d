/**
 * The cases of the bench: requests for which the floor and the service give the same answer. `n` numbers the requests, each of another zone
 * or record. shapes.ts has the wording of each client.
 */

import { pageOf } from "../../src/lists/pagination.ts";
import { type DomainRow, domainOrders } from "../../src/zone/domain.ts";
import { type RecordRow, recordOrders, recordOrdersInZone } from "../../src/zone/record.ts";
import { nameWire } from "../floor/floor-sql.ts";
import {
  addressId,
  editedHosts,
  editedZone,
  largeHostId,
  largeZone,
  type Size,
  tenthHost,
  tenthZone,
  userId,
  zoneName,
} from "./data.ts";

/** An HTTP request; missing `headers` are the default headers. */
export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A GraphQL operation before its client words the request. */
export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The sides: the floor, the floor with pipelined statements, the service, and the peer. */
export const sides = ["floor", "pipelined", "service", "peer"] as const;
export type SideName = (typeof sides)[number];

/** The part of a cursor of the peer that names an order: domains by zone, records by id. */
export interface PeerCursors {
  readonly zone: string;
  readonly id: string;
}

/** A case as REST has it; the floor request and the equivalent operation default to those of the case. */
export interface RestCase {
  readonly ask: (n: number, size: Size) => Question;
  readonly floor?: (n: number, size: Size) => Question;
  readonly operation?: (n: number, size: Size) => Operation;
}

/** One measured case. A writing case may use each `n` only once. */
export interface Case {
  readonly name: string;
  /** The goal of the ratio to the floor for GraphQL at 16 connections; the goal of REST is 0.8 of it. */
  readonly goal: number;
  readonly writes: boolean;
  readonly varies?: boolean;
  /** The request to the floor; its path follows the form of the answer. */
  readonly floor: (n: number, size: Size) => Question;
  readonly operation: (n: number, size: Size) => Operation;
  /** Missing when REST has no such request. */
  readonly rest?: RestCase;
  readonly peer: (n: number, size: Size, cursors: PeerCursors) => Operation;
}

export const adminKey = "bench-administrator-key-0123456789";

const get = (path: string): Question => ({ method: "GET", path });
const post = (path: string, body: unknown): Question => ({ method: "POST", path, body });

/** The fields of a page of 1,000 records, in the order of creation. */
const pageOfRecords = 1000;

const domainFields = "id zone serial user { id email } records(first: 10) { nodes { id owner type ttl rdata } }";
const zoneQuery = `query Zone($zone: String!) { domain(by: { zone: $zone }) { ${domainFields} } }`;
const pageQuery = `query Page($after: String) { domains(first: 50, after: $after) { nodes { ${domainFields} } pageInfo { hasNextPage } } }`;
const recordQuery = "query Record($id: ID!) { record(id: $id) { id owner type ttl rdata zone } }";
const recordsQuery = `query Records($zone: String!, $after: String) { domain(by: { zone: $zone }) { records(first: ${pageOfRecords}, after: $after, orderBy: CREATED) { nodes { id owner type ttl rdata } pageInfo { hasNextPage } } } }`;
const searchQuery =
  "query Search($text: String!) { records(first: 100, filter: { rdataContains: $text }) { nodes { id owner type ttl rdata zone } } }";
/** The operations with the same content as the REST answers for domains, their pages, and pages of records. */
const wholeDomainFields =
  "id zone user { id email } records(first: 100) { nodes { id owner rdata type ttl } pageInfo { hasNextPage endCursor } }";
const wholeZoneQuery = `query WholeZone($zone: String!) { domain(by: { zone: $zone }) { ${wholeDomainFields} } }`;
const wholePageQuery = `query WholePage($after: String) { domains(first: 50, after: $after) { nodes { ${wholeDomainFields} } pageInfo { hasNextPage endCursor } totalCount } }`;
const countedRecordsQuery = `query CountedRecords($zone: String!, $after: String) { records(first: ${pageOfRecords}, after: $after, filter: { zone: $zone }) { nodes { id owner rdata zone type ttl } pageInfo { hasNextPage endCursor } totalCount } }`;
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
/** A cursor in the form of the peer. */
const peerCursor = (order: string, key: string) => Buffer.from(JSON.stringify([order, key])).toString("base64");

/** Spreads the requests over all rows, so that two successive requests read different rows. */
const spread = (n: number, count: number) => (n * 7919) % count;
const zoneOf = (n: number, { zones }: Size) => zoneName(spread(n, zones));
const beforePage = (n: number, { zones }: Size) => zoneName(spread(n, zones - 51));
const idOf = (n: number, { zones }: Size) => addressId(spread(n, zones));
/** The cursor of a zone; only its name is read. */
const cursorOf = (zone: string) =>
  pageOf([], { first: 50 }, domainOrders.ZONE, async () => 0).cursor({ zone } as DomainRow);

const recordCursorOf = (id: number) =>
  pageOf([], { first: 50 }, recordOrders.CREATED, async () => 0).cursor({ id } as RecordRow);
/** The record before the page of the tenth zone that REST requests, and its cursor in the order of names. */
const beforeTenth = (n: number, size: Size) => tenthHost(size, spread(n, size.records / 10 - pageOfRecords - 10));
const tenthCursorOf = (n: number, size: Size) =>
  pageOf([], { first: 50 }, recordOrdersInZone.NAME, async () => 0).cursor(beforeTenth(n, size) as RecordRow);
/** The record before the requested page of the large zone. */
const beforeRecords = (n: number, size: Size) => largeHostId(size, spread(n, size.records - pageOfRecords - 10));
/** A text in the data of 256 records with successive addresses. */
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

/** The cases in the order of their runs: writing cases come last. W7, the list of all records, has its own table. */
export const cases: readonly Case[] = [
  {
    name: "W1 one zone with owner and 10 records",
    goal: 0.9,
    writes: false,
    floor: (n, size) => get(`/zone/${zoneOf(n, size)}`),
    operation: (n, size) => ({ query: zoneQuery, variables: { zone: zoneOf(n, size) } }),
    rest: {
      ask: (n, size) => get(`/api/domain/list/zone/${zoneOf(n, size)}`),
      operation: (n, size) => ({ query: wholeZoneQuery, variables: { zone: zoneOf(n, size) } }),
    },
    peer: (n, size) => ({ query: peerZoneQuery, variables: { zone: zoneOf(n, size) } }),
  },
  {
    name: "W2 50 zones, each with owner and 10 records",
    goal: 1,
    writes: false,
    floor: (n, size) => get(`/page/${beforePage(n, size)}`),
    operation: (n, size) => ({ query: pageQuery, variables: { after: cursorOf(beforePage(n, size)) } }),
    rest: {
      ask: (n, size) => get(`/api/domain/list?limit=50&cursor=${cursorOf(beforePage(n, size))}`),
      operation: (n, size) => ({ query: wholePageQuery, variables: { after: cursorOf(beforePage(n, size)) } }),
    },
    peer: (n, size, { zone }) => ({
      query: peerPageQuery,
      variables: { after: peerCursor(zone, beforePage(n, size)) },
    }),
  },
  {
    name: "W3 one record by id",
    goal: 0.9,
    writes: false,
    floor: (n, size) => get(`/record/${idOf(n, size)}`),
    operation: (n, size) => ({ query: recordQuery, variables: { id: String(idOf(n, size)) } }),
    rest: { ask: (n, size) => get(`/api/record/list/${idOf(n, size)}`) },
    peer: (n, size) => ({ query: peerRecordQuery, variables: { id: String(idOf(n, size)) } }),
  },
  {
    name: "W4 a page of 1,000 records of a large zone",
    goal: 0.9,
    writes: false,
    floor: (n, size) => get(`/records/${beforeRecords(n, size)}`),
    operation: (n, size) => ({
      query: recordsQuery,
      variables: { zone: largeZone, after: recordCursorOf(beforeRecords(n, size)) },
    }),
    rest: {
      ask: (n, size) =>
        get(`/api/record/list?zone=${tenthZone}&limit=${pageOfRecords}&cursor=${tenthCursorOf(n, size)}`),
      floor: (n, size) => get(`/records/${beforeTenth(n, size).id}`),
      operation: (n, size) => ({
        query: countedRecordsQuery,
        variables: { zone: tenthZone, after: tenthCursorOf(n, size) },
      }),
    },
    peer: (n, size, { id }) => ({
      query: peerRecordsQuery,
      variables: { zone: largeZone, after: peerCursor(id, String(beforeRecords(n, size))) },
    }),
  },
  {
    name: "W9 100 records whose data contains a text",
    goal: 1,
    writes: false,
    varies: true,
    floor: (n, size) => get(`/search/${searched(n, size)}`),
    operation: (n, size) => ({ query: searchQuery, variables: { text: searched(n, size) } }),
    peer: (n, size) => ({ query: peerSearchQuery, variables: { text: searched(n, size) } }),
  },
  {
    name: "W5 add one record",
    goal: 0.6,
    writes: true,
    floor: (n, size) => post("/add", newRecord(n, size)),
    operation: (n, size) => ({ query: addRecord, variables: { input: newRecord(n, size) } }),
    rest: {
      ask: (n, size) => {
        const { zone, owner, type: rtype, ttl, rdata } = newRecord(n, size);
        return post("/api/record/add", new URLSearchParams({ zone, owner, rtype, ttl: String(ttl), rdata }));
      },
    },
    peer: (n, size) => ({
      query: peerAddRecord,
      variables: { input: { ...newRecord(n, size), wire: addressWire(newRecord(n, size)) } },
    }),
  },
  {
    name: "W6 create a domain",
    goal: 0.7,
    writes: true,
    floor: (n) => post("/create", newDomain(n)),
    operation: (n) => ({ query: createDomain, variables: { input: newDomain(n) } }),
    rest: {
      ask: (n) => {
        const { zone, userId: user_id } = newDomain(n);
        return post("/api/domain/add", new URLSearchParams({ zone, user_id }));
      },
    },
    peer: (n) => {
      const { zone, userId } = newDomain(n);
      return {
        query: peerCreateDomain,
        variables: { input: { zone, userId, wire: nameWire(zone).toString("base64") } },
      };
    },
  },
  {
    name: "W8 change 100 records of a zone",
    goal: 0.8,
    writes: true,
    floor: (n, size) => post("/change", { zone: editedZone(n), update: editedHosts(n, size) }),
    operation: (n, size) => ({
      query: changeRecords,
      variables: {
        input: {
          zone: editedZone(n),
          update: editedHosts(n, size).map(({ id, rdata }) => ({ recordId: id, rdata })),
        },
      },
    }),
    peer: (n, size) => {
      const hosts = editedHosts(n, size);
      const [ids, rdatas] = [hosts.map(({ id }) => id), hosts.map(({ rdata }) => rdata)];
      return {
        query: peerChangeRecords,
        variables: { input: { zone: editedZone(n), ids, rdatas, wires: hosts.map(addressWire) } },
      };
    },
  },
];

export const headers: Readonly<Record<string, string>> = {
  "X-API-Key": adminKey,
  "Content-Type": "application/json",
};
