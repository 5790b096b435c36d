/** The answers of the floor: the statement and the body for each route, in the requested form. REST answers have their own form. */
import { addText, changeText, createText, nameWire, nested, recordsText, searchText } from "./floor-sql.ts";
import { type Form, forms, withType } from "./forms.ts";
import { type Row, statement } from "./statements.ts";

/** Answers by route; a reading route gets the last part of its path, a writing route the body. */
export interface Answers {
  readonly reads: Readonly<Record<string, (argument: string) => Promise<unknown>>>;
  readonly writes: Readonly<Record<string, (body: Row) => Promise<unknown>>>;
}

const pageCondition = "where d.id in (select id from domain where zone > $1 order by zone limit 51)";
const wholeZone = statement("whole zone", nested("where d.zone = $1", 1000));
const wholePage = statement("whole page", nested(pageCondition, 1000));
const pageOfZone = statement(
  "page of zone",
  `select r.id, r.owner, r.rdata, d.zone, r.type, r.ttl from zone_record r join domain d on d.id = r.domain_id
  where r.domain_id = (select domain_id from zone_record where id = $1)
    and (r.position, r.id) > ((select position from zone_record where id = $1), $1::bigint) order by r.position, r.id limit 1001`,
);
const countRecords = statement(
  "count of records",
  "select count(*) from zone_record where domain_id = (select domain_id from zone_record where id = $1)",
);
const countDomains = statement("count of domains", "select count(*) from domain where user_id is not null");
const recordById = statement(
  "record",
  "select r.id, r.owner, r.type, r.ttl, r.rdata, d.zone from zone_record r join domain d on d.id = r.domain_id where r.id = $1",
);
const recordsAfter = statement("records", recordsText);
const storeRecord = statement("add", addText, true);
const storeChanges = statement("change", changeText, true);
const storeDomain = statement("create", createText, true);

/** The rows of each domain; each row has the domain and one record. */
function byDomain(rows: readonly Row[]): Row[][] {
  const found: Row[][] = [];
  for (const row of rows) {
    const domain = found.at(-1);
    if (domain?.[0]?.id === row.id) domain?.push(row);
    else found.push([row]);
  }
  return found;
}

/** The orders of the records of a zone. */
const positionOf = ({ owner, type }: Row) => `${owner === "@" ? "" : owner} ${type === "SOA" ? "" : type}`;

const addressWire = (text: string) => Buffer.from(text.split(".").map(Number));

const add = async (body: Row) => {
  const { zone, owner, type, ttl, rdata = "" } = body;
  return (await storeRecord([zone, owner, type, ttl, rdata, addressWire(rdata)]))[0] as Row;
};
const create = async (zone: string, userId: unknown) => (await storeDomain([zone, userId, nameWire(zone)]))[0] as Row;

/** The answers for GraphQL. */
function answersIn({ type, nodeType, beyond, list }: Form): Answers {
  const zoneByName = statement(`zone ${beyond}`, nested("where d.zone = $1", 10 + beyond));
  const zonesAfter = statement(`page ${beyond}`, nested(pageCondition, 10 + beyond));
  const search = statement(`search ${beyond}`, searchText(100 + beyond));

  const recordOf = ({ recordId: id, owner, type, ttl, rdata }: Row) =>
    withType({ id, owner, type, ttl, rdata }, nodeType("Record"));
  const keyInZone = (row: Row) => ["record.NAME in a zone", positionOf(row), Number(row.recordId)];
  const domainOf = (rows: readonly Row[]) => {
    const { id, zone, serial, userId, email } = rows[0] as Row;
    const user = withType({ id: userId, email }, type("User"));
    const records = list("Record", { rows, size: 10, node: recordOf, key: keyInZone });
    return { id, zone, serial: Number(serial), user, records };
  };
  const foundRecord = (row: Row) => withType(row, nodeType("Record"));
  return {
    reads: {
      zone: async (name) => ({ data: { domain: withType(domainOf(await zoneByName([name])), type("Domain")) } }),
      page: async (after) => {
        const node = (rows: Row[]) => withType(domainOf(rows), nodeType("Domain"));
        const key = ([row]: Row[]) => ["domain.ZONE", row?.zone];
        const rows = byDomain(await zonesAfter([after]));
        return { data: { domains: list("Domain", { rows, size: 50, asksForMore: true, node, key }) } };
      },
      record: async (id) => ({ data: { record: withType((await recordById([id]))[0] as Row, type("Record")) } }),
      search: async (text) => {
        const key = (row: Row) => ["record.NAME", row.zone, positionOf(row), Number(row.id)];
        return { data: { records: list("Record", { rows: await search([text]), size: 100, node: foundRecord, key }) } };
      },
      records: async (after) => {
        const rows = await recordsAfter([after]);
        const key = ({ id }: Row) => ["record.CREATED", Number(id)];
        const records = list("Record", { rows, size: 1000, asksForMore: true, node: foundRecord, key });
        return { data: { domain: withType({ records }, type("Domain")) } };
      },
    },
    writes: {
      change: async (body) => {
        const { zone, update } = body as unknown as { zone: string; update: readonly { id: string; rdata: string }[] };
        const rdata = update.map((each) => each.rdata);
        const [row] = (await storeChanges([zone, update.map(({ id }) => id), rdata, rdata.map(addressWire)])) as [Row];
        const change = withType({ id: row.id, serial: Number(row.serial) }, type("Change"));
        return { data: { changeRecords: withType({ change }, type("ChangeRecordsPayload")) } };
      },
      add: async (body) => {
        const row = await add(body);
        const { owner, type: recordType, ttl, rdata } = body;
        const record = withType({ id: row.id, owner, type: recordType, ttl, rdata }, type("Record"));
        const change = withType({ id: row.changeId, serial: Number(row.serial) }, type("Change"));
        return { data: { createRecord: withType({ record, change }, type("RecordPayload")) } };
      },
      create: async ({ zone = "", userId }) => {
        const row = await create(zone, userId);
        const domain = withType({ id: row.id, zone, serial: Number(row.serial) }, type("Domain"));
        const change = withType({ id: row.changeId }, type("Change"));
        return { data: { createDomain: withType({ domain, change }, type("CreateDomainPayload")) } };
      },
    },
  };
}

const restRecordOf = ({ recordId, owner, rdata, type, ttl }: Row) => ({
  id: Number(recordId),
  owner,
  rdata,
  type,
  ttl: String(ttl),
});
const restRowOf = ({ id, owner, rdata, zone, type, ttl }: Row) => ({
  id: Number(id),
  owner,
  rdata,
  zone,
  type,
  ttl: String(ttl),
});
const restDomainOf = (rows: readonly Row[]) => {
  const { id, zone, userId, email } = rows[0] as Row;
  return { zone_id: Number(id), zone, user: { id: Number(userId), email }, records: rows.map(restRecordOf) };
};

/** The answers for REST: domains with all their records, ids as numbers, and for a page the number of all rows. */
const restAnswers: Answers = {
  reads: {
    zone: async (name) => restDomainOf(await wholeZone([name])),
    page: async (after) => {
      const [rows] = await Promise.all([wholePage([after]), countDomains([])]);
      return byDomain(rows).slice(0, 50).map(restDomainOf);
    },
    record: async (id) => restRowOf((await recordById([id]))[0] as Row),
    records: async (after) => {
      const [rows] = await Promise.all([pageOfZone([after]), countRecords([after])]);
      return rows.slice(0, 1000).map(restRowOf);
    },
  },
  writes: {
    add: async (body) => restRowOf({ ...body, ...(await add(body)) }),
    create: async ({ zone = "", userId }) => ({ id: Number((await create(zone, userId)).id), zone }),
  },
};

export const answers: Readonly<Record<string, Answers>> = {
  bare: answersIn(forms.bare),
  typed: answersIn(forms.typed),
  relay: answersIn(forms.relay),
  rest: restAnswers,
};
