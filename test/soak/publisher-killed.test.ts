/** The service, as a process, killed between a commit and its NOTIFY: what was committed is published all the same. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { Responder } from "../setup/dns/responder.ts";
import type { RunningService } from "../setup/process/running-service.ts";
import { ServicesOfDatabase } from "../setup/process/service-process.ts";
import { RowLock } from "../setup/service/row-lock.ts";

const zone = "example.com";
let services: ServicesOfDatabase;
let secondary: Responder;

beforeEach(async () => {
  services = new ServicesOfDatabase();
  await services.open();
  secondary = await new Responder().open();
  await services.sql(
    "insert into secondary (name, address, port, allow_unsigned_transfer) values ('s', '127.0.0.1', $1, true)",
    [secondary.port],
  );
});
afterEach(async () => {
  await services.close();
  await secondary.close();
});

/** An instance whose zone the secondary serves. */
async function serveZone(): Promise<RunningService> {
  const instance = await services.start();
  await instance.domains(zone);
  await eventually(() => expect(secondary.notified(zone)).not.toEqual([]));
  await expectPublished();
  return instance;
}

/** Adds a record; whether the service said that it did. */
const add = (instance: RunningService): Promise<boolean> =>
  instance.record(zone, "late", "A", "192.0.2.1").then(
    () => true,
    () => false,
  );

test("killed while PostgreSQL commits, it publishes the change when it runs again", async () => {
  const instance = await serveZone();
  // The commit of a change waits for a lock that the test holds; PostgreSQL finishes it though the client is gone.
  await services.sql(
    "create function wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); return null; end'",
  );
  await services.sql(
    `create constraint trigger wait after insert on change deferrable initially deferred for each row
      when (new.zone = '${zone}') execute function wait()`,
  );
  const lock = await RowLock.take(services.url);
  await lock.run("select pg_advisory_xact_lock(1)");
  const isAnswered = add(instance);
  const committing = String.raw`select from pg_stat_activity where datname = current_database()
    and application_name = 'zonesmith' and wait_event = 'advisory' and query ~* '^(commit$|/\* own transaction \*/)'`;
  await eventually(async () => expect(await services.sql(committing)).toHaveLength(1));
  await instance.end("SIGKILL");
  expect(await isAnswered).toBe(false);
  await lock.release();
  await eventually(async () =>
    expect(await services.sql("select from zone_record where owner = 'late'")).toHaveLength(1),
  );
  await services.sql("drop function wait cascade");
  const known = secondary.notified(zone).length;
  await services.start();
  await eventually(() => expect(secondary.notified(zone).length).toBeGreaterThan(known));
  await expectPublished();
});

test("killed after its answer, what it committed is published by another instance", async () => {
  const instance = await serveZone();
  await services.start();
  secondary.mute = true; // Whatever is still sent is lost.
  expect(await add(instance)).toBe(true);
  await instance.end("SIGKILL");
  secondary.mute = false;
  await expectPublished();
});

/** Lets the secondary serve what is committed, and expects that it is sighted there. */
async function expectPublished(): Promise<void> {
  const [domain] = await services.sql<{ serial: string }>("select serial from domain where zone = $1", [zone]);
  await services.sql(
    `insert into transferred_zone as t (domain_id, secondary_id, serial, transferred_at)
    select d.id, s.id, d.serial, now() from domain d, secondary s where d.zone = $1
    on conflict (domain_id, secondary_id) do update set serial = excluded.serial`,
    [zone],
  );
  secondary.serials.set(zone, Number(domain?.serial));
  await eventually(async () =>
    expect(await services.sql("select proven_serial as serial from sighting where zone = $1", [zone])).toEqual([
      domain,
    ]),
  );
}
