/**
 * The floor: the minimum that node:http and PostgreSQL need to give the same answers. One prepared statement for each request and JSON from
 * plain rows; no key, rules, limits or log. A path contains the form of the answer, the route, and the argument.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answers } from "./answers.ts";
import { type Row, statement } from "./statements.ts";

const listOfZone = statement(
  "list of zone",
  `select r.id, r.owner, r.rdata, d.zone, r.type, r.ttl, r.position from zone_record r join domain d on d.id = r.domain_id
  where r.domain_id = (select id from domain where zone = $1) and (r.position, r.id) > ($2, $3) order by r.position, r.id limit 1000`,
);
const list = statement(
  "list",
  "select r.id, r.owner, r.rdata, d.zone, r.type, r.ttl from zone_record r join domain d on d.id = r.domain_id where r.id > $1 order by r.id limit 1000",
);

/** Writes a whole list, 1,000 rows at a time. */
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
    const [, form = "", route = "", argument = ""] = decodeURI(request.url as string).split("/");
    if (route === "list") return await writeList(response, argument);
    if (request.method === "GET") return send(response, await answers[form]?.reads[route]?.(argument));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return send(response, await answers[form]?.writes[route]?.(JSON.parse(Buffer.concat(chunks).toString())));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
