/**
 * The peer: PostGraphile on the same tables, in a process and a package of its own (bench/peer), which is installed at its first use. SQL
 * functions with the statements of the floor replace the searches and changes of the service.
 */
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { addText, changeText, createText, searchText } from "../floor/floor-sql.ts";
import type { PeerCursors } from "./cases.ts";
import { end, type Side } from "./processes.ts";

/** The package; the bench runs at the top of the project. */
const folder = join(process.cwd(), "bench/peer");

export const noCursors: PeerCursors = { zone: "", id: "" };

const returning = (statement: string, columns: string) =>
  statement.replace(/ {2}select [^()]*$/, `  select ${columns}`);

const functions = `
  create type peer_record as (id bigint, owner text, type text, ttl int, rdata text, change_id bigint, serial bigint);
  create type peer_domain as (id bigint, zone text, serial bigint, change_id bigint);
  create function peer_search(text text) returns setof zone_record language sql stable as $$
    ${searchText(100)
      .replace(/select .* from zone_record/, "select r.* from zone_record")
      .replace("limit 100", "")
      .replaceAll("$1", "peer_search.text")} $$;
  create function peer_add(zone text, owner text, type text, ttl int, rdata text, wire bytea) returns peer_record
    language sql volatile as $$ ${returning(addText, "added.id, $2, $3, $4, $5, c.id, d.serial from added, d, c")} $$;
  create type peer_edit as (id bigint, serial bigint);
  create function peer_change(zone text, ids bigint[], rdatas text[], wires bytea[]) returns peer_edit
    language sql volatile as $$ ${changeText} $$;
  create function peer_create(zone text, user_id bigint, wire bytea) returns peer_domain
    language sql volatile as $$ ${returning(createText, "d.id, $1, d.serial, c.id from d, c")} $$`;

/** Installs and starts the peer, and reads the form of its cursors. */
export async function startPeer(url: string, undo: (() => unknown)[]): Promise<{ peer: Side; cursors: PeerCursors }> {
  if (!existsSync(join(folder, "node_modules")))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(functions);
  await client.end();
  const env = { ...process.env, DATABASE_URL: url, GRAPHILE_ENV: "production", NODE_ENV: "production" };
  const child = fork(join(folder, "server.js"), [], { env });
  undo.push(() => end(child));
  const [port] = (await once(child, "message")) as [number];
  const query = `{ zone: allDomains(first: 1, orderBy: [ZONE_ASC]) { edges { cursor } }
    id: allZoneRecords(first: 1, orderBy: [PRIMARY_KEY_ASC]) { edges { cursor } } }`;
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: Record<string, { edges: { cursor: string }[] }> };
  const orderOf = (list: string): string => {
    const text = Buffer.from(data[list]?.edges[0]?.cursor ?? "", "base64").toString();
    return (JSON.parse(text) as [string])[0];
  };
  return { peer: { port, pid: child.pid as number }, cursors: { zone: orderOf("zone"), id: orderOf("id") } };
}
