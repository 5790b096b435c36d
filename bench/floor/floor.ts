/**
 * The floor: the least that node:http and PostgreSQL need to give the same answers. One prepared statement a question, JSON from
 * plain rows; no key, no rules, no limits, no log.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { addText, changeText, createText, nameWire, nested, recordsText, searchText } from "./floor-sql.ts";

const connectionString = process.env.DATABASE_URL;
const pool = new pg.Pool({ connectionString, max: 10 });

/**
 * With `pipelined` as its argument, the floor sends statements without waiting for the answers of others: those that read on one
 * connection, those that write on four, as commits of one connection follow each other.
 */
const isPipelined = process.argv[2] === "pipelined";
const pipelines = await Promise.all(
  Array.from({ length: isPipelined ? 5 : 0 }, async () => {
    const client = new pg.Client({ connectionString, pipeline: true });
    await client.connect();
    return client;
  }),
);
const [reader, ...writers] = pipelines;
let turn = 0;

type Row = Record<string, string>;

const statement =
  (name: string, text: string, writes = false) =>
  async (values: unknown[]) => {
    const target = (writes ? writers[turn++ % writers.length] : reader) ?? pool;
    return (await target.query<Row>({ name, text, values })).rows;
  };

const zone = statement("zone", nested("where d.zone = $1", 10));
const wholeZone = statement("whole zone", nested("where d.zone = $1", 1000));
const page = statement(
  "page",
  nested("where d.id in (select id from domain where zone > $1 order by zone limit 51)", 10),
);
const record = statement(
  "record",
  "select r.id, r.owner, r.type, r.ttl, r.rdata, d.zone from zone_record r join domain d on d.id = r.domain_id where r.id = $1",
);
const listOfZone = statement(
  "list of zone",
  `select r.id, r.owner, r.rdata, d.zone, r.type, r.ttl, r.position from zone_record r join domain d on d.id = r.domain_id
  where r.domain_id = (select id from domain where zone = $1) and (r.position, r.id) > ($2, $3) order by r.position, r.id limit 1000`,
);
const list = statement(
  "list",
  "select r.id, r.owner, r.rdata, d.zone, r.type, r.ttl from zone_record r join domain d on d.id = r.domain_id where r.id > $1 order by r.id limit 1000",
);
const search = statement("search", searchText);
const records = statement("records", recordsText);
const add = statement("add", addText, true);
const change = statement("change", changeText, true);
const create = statement("create", createText, true);

const recordOf = ({ recordId: id, owner, type, ttl, rdata }: Row) => ({ id, owner, type, ttl, rdata });
const restRecordOf = ({ recordId, owner, rdata, type, ttl }: Row) => ({
  id: Number(recordId),
  owner,
  rdata,
  type,
  ttl: String(ttl),
});

/** The nested domains of rows that repeat the domain with each record. */
function domains(rows: readonly Row[]) {
  const found: { id: string; zone: string; serial: number; user: object; records: { nodes: object[] } }[] = [];
  for (const row of rows) {
    const { id = "", zone = "", serial, userId, email } = row;
    let domain = found.at(-1);
    if (domain?.id !== id) {
      domain = { id, zone, serial: Number(serial), user: { id: userId, email }, records: { nodes: [] } };
      found.push(domain);
    }
    domain.records.nodes.push(recordOf(row));
  }
  return found;
}

const answers: Record<string, (argument: string) => Promise<unknown>> = {
  zone: async (name) => ({ data: { domain: domains(await zone([name]))[0] } }),
  page: async (after) => {
    const found = domains(await page([after]));
    const nodes = found.slice(0, 50);
    return { data: { domains: { nodes, pageInfo: { hasNextPage: found.length > 50 } } } };
  },
  record: async (id) => ({ data: { record: (await record([id]))[0] } }),
  search: async (text) => ({ data: { records: { nodes: await search([text]) } } }),
  records: async (after) => {
    const found = await records([after]);
    const pageInfo = { hasNextPage: found.length > 1000 };
    return { data: { domain: { records: { nodes: found.slice(0, 1000), pageInfo } } } };
  },
  "rest-zone": async (name) => {
    const rows = await wholeZone([name]);
    const { id, zone, userId, email } = rows[0] as Row;
    return { zone_id: Number(id), zone, user: { id: Number(userId), email }, records: rows.map(restRecordOf) };
  },
  "rest-record": async (id) => {
    const { owner, rdata, zone, type, ttl } = (await record([id]))[0] as Row;
    return { id: Number(id), owner, rdata, zone, type, ttl: String(ttl) };
  },
};

/** The wire of an IPv4 address. */
const addressWire = (text: string) => Buffer.from(text.split(".").map(Number));

const changes = async ({ zone, update }: { zone: string; update: readonly { id: string; rdata: string }[] }) => {
  const rdata = update.map((each) => each.rdata);
  const [row] = (await change([zone, update.map(({ id }) => id), rdata, rdata.map(addressWire)])) as [Row];
  return { data: { changeRecords: { change: { id: row.id, serial: Number(row.serial) } } } };
};

const writes: Record<string, (body: Row) => Promise<unknown>> = {
  change: (body) => changes(body as unknown as Parameters<typeof changes>[0]),
  add: async ({ zone, owner, type, ttl, rdata = "" }) => {
    const [row] = (await add([zone, owner, type, ttl, rdata, addressWire(rdata)])) as [Row];
    const change = { id: row.changeId, serial: Number(row.serial) };
    return { data: { createRecord: { record: { id: row.id, owner, type, ttl, rdata }, change } } };
  },
  create: async ({ zone = "", userId }) => {
    const [row] = (await create([zone, userId, nameWire(zone)])) as [Row];
    const { id, serial, changeId } = row;
    return { data: { createDomain: { domain: { id, zone, serial: Number(serial) }, change: { id: changeId } } } };
  },
};

/** Writes a whole list, a thousand rows at a time. */
async function writeList(response: ServerResponse, zone: string): Promise<void> {
  response.setHeader("Content-Type", "application/json");
  let separator = "[";
  let last: Row = { position: "", id: "0" };
  for (;;) {
    const rows = zone === "" ? await list([last.id]) : await listOfZone([zone, last.position, last.id]);
    if (rows.length === 0) break;
    last = rows.at(-1) as Row;
    const text = rows.map(({ id, owner, rdata, zone, type, ttl }) =>
      JSON.stringify({ id: Number(id), owner, rdata, zone, type, ttl: String(ttl) }),
    );
    if (!response.write(separator + text.join(","))) await once(response, "drain");
    separator = ",";
  }
  response.end("]\n");
}

function send(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

const server = createServer(async (request, response) => {
  try {
    const [, route = "", argument = ""] = decodeURI(request.url as string).split("/");
    if (route === "list") return await writeList(response, argument);
    if (request.method === "GET") return send(response, await answers[route]?.(argument));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return send(response, await writes[route]?.(JSON.parse(Buffer.concat(chunks).toString())));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
