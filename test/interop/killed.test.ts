/**
 * The service killed after PostgreSQL took the commit and before it could tell anybody: what was committed arrives all the same.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { dropDatabase, freshDatabase, query } from "../setup/database.ts";
import { Following } from "../setup/following.ts";
import { knot } from "../setup/name-servers.ts";
import { freePort, type ServiceProcess, zonesmith } from "../setup/process.ts";
import { testWith } from "../setup/programs.ts";
import { eventually } from "../setup/publishers.ts";
import { adminKey, TestService } from "../setup/service.ts";

const test = testWith("kdig", ...knot.programs);
const zone = "killed.example.com";
let databaseUrl: string;
let service: ServiceProcess;
const client = new TestService({});
const following = new Following(client, knot);

/** Starts the service as a process, at the same ports each time. */
async function serve(): Promise<void> {
  service = zonesmith(["serve"], {
    HTTP_PORT: new URL(client.url).port,
    DNS_PORT: String(client.dnsPort),
    DATABASE_URL: databaseUrl,
    ADMIN_API_KEY: adminKey,
    LOG_LEVEL: "silent",
  });
  await service.printed(/Zonesmith answers at/);
}

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  client.url = `http://127.0.0.1:${await freePort()}`;
  client.dnsPort = await freePort();
}, 30_000);
afterAll(async () => {
  await following.remove();
  service?.child.kill("SIGKILL");
  await service?.ended();
  await dropDatabase(databaseUrl);
}, 30_000);

test("killed between commit and NOTIFY, it brings the change to Knot when it runs again", async () => {
  await serve();
  await following.follow();
  await client.domain(zone, await client.user("owner@example.com"));
  await eventually(async () => expect((await following.ask(zone, "SOA")).status).toBe("NOERROR"));
  // Each commit of a change takes its time in PostgreSQL, which finishes it though the client is gone.
  await sql(
    `create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(2); return null; end'`,
  );
  await sql(
    "create constraint trigger linger after insert on change deferrable initially deferred for each row execute function linger()",
  );
  const lost = client.record(zone, "late", "A", "192.0.2.9").catch(() => "no answer");
  const committing =
    "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep' and query ilike 'commit%'";
  await eventually(async () => expect(await sql(committing)).toHaveLength(1));
  service.child.kill("SIGKILL");
  await service.ended();
  expect(await lost).toBe("no answer");
  await eventually(async () => expect(await sql("select from zone_record where owner = 'late'")).toHaveLength(1));
  expect((await following.ask(`late.${zone}`, "A")).status).toBe("NXDOMAIN");
  await sql("drop function linger cascade");
  await serve();
  const begun = performance.now();
  await eventually(async () => expect((await following.ask(`late.${zone}`, "A")).answers).toEqual(["192.0.2.9"]));
  process.stdout.write(`Knot answers ${(performance.now() - begun).toFixed(0)} ms after the service is back\n`);
  await eventually(async () => {
    const { domain } = await client.data(`{ domain(zone: "${zone}") { publication { state } } }`);
    expect(domain.publication.state).toBe("LIVE");
  });
}, 60_000);

const sql = (statement: string) => query(databaseUrl, statement);
