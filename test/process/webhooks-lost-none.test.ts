/**
 * No event is lost: with sixteen writers at once, whose transactions are committed in another order than they got their ids; with a long
 * transaction among them; and when the service is killed between the commit and the delivery, or during one.
 */
import { afterEach, expect, test } from "@jest/globals";
import pg from "pg";
import { eventually } from "../setup/basics/eventually.ts";
import type { RunningService } from "../setup/process/running-service.ts";
import { ServicesOfDatabase } from "../setup/process/service-process.ts";
import { receiversAllowed, WebhookReceiver } from "../setup/service/webhook-receiver.ts";

let services: ServicesOfDatabase;
let receiver: WebhookReceiver;

afterEach(async () => {
  await receiver.stop();
  await services.close();
});

/** A service with a webhook for all changes, and zones to change. */
async function enter(zones: readonly string[]): Promise<RunningService> {
  services = new ServicesOfDatabase();
  await services.open();
  receiver = await WebhookReceiver.start();
  const service = await services.start(receiversAllowed);
  await receiver.subscribe(service, "/all", { events: ["CHANGE_COMMITTED"] });
  await service.domains(...zones);
  return service;
}

/** The ids of the changes of the journal, by zone, in their order. */
async function journal(): Promise<Record<string, string[]>> {
  const rows = await services.sql<{ zone: string; ids: string[] }>(
    "select zone, array_agg(id::text order by id) as ids from change group by zone",
  );
  return Object.fromEntries(rows.map(({ zone, ids }) => [zone, ids]));
}

/** The ids that were told, by zone, each where it came first. */
function told(): Record<string, string[]> {
  const byZone = Map.groupBy(receiver.at("/all"), ({ data }) => data.zone as string);
  return Object.fromEntries(
    [...byZone].map(([zone, all]) => [zone, [...new Set(all.map(({ data }) => data.changeId))]]),
  );
}

const write = (service: RunningService, zone: string, owner: string) =>
  service.rest("POST", "/record/add", { form: { zone, owner, rtype: "A", rdata: "192.0.2.1", ttl: 3600 } });

test("sixteen writers, and a transaction that stays open among them", async () => {
  const zones = Array.from({ length: 16 }, (_, n) => `zone${n}.example.com`);
  const service = await enter(zones);
  // A change that has its id, and is committed after many that got theirs later.
  const late = new pg.Client(services.url);
  await late.connect();
  const [held] = await services.sql<{ id: string; domain_id: string }>(
    "select id, domain_id from change where zone = $1",
    [zones[0]],
  );
  await late.query("begin");
  await late.query(
    `insert into change (domain_id, zone, kind, previous_serial, serial, actor, door)
      select domain_id, zone, 'EDIT', serial, serial, 'late', 'system' from change where id = $1`,
    [held?.id],
  );
  await Promise.all(
    zones.slice(1).map(async (zone) => {
      for (let n = 0; n < 15; n += 1) expect((await write(service, zone, `w${n}`)).status).toBe(201);
    }),
  );
  await late.query("commit");
  await late.end();
  await eventually(async () => expect(told()).toEqual(await journal()));
  expect(told()[zones[0] as string]).toHaveLength(2);
  expect(receiver.wrong).toEqual([]);
  // None of them came twice, since nothing failed.
  expect(receiver.received).toHaveLength(Object.values(await journal()).flat().length);
});

test("killed after commits, and while messages are sent, it tells of each change after its next start", async () => {
  const zones = ["a.example.com", "b.example.com", "c.example.com"];
  let service = await enter(zones);
  for (let round = 0; round < 4; round += 1) {
    // In every other round the receiver takes a message and the answer never comes back.
    receiver.answer = () => (round % 2 === 1 ? "hang" : 204);
    for (const zone of zones) for (let n = 0; n < 4; n += 1) await write(service, zone, `r${round}-${n}`);
    if (round % 2 === 1) await eventually(() => receiver.received.at(-1)?.status === 504);
    await service.end("SIGKILL");
    service = await services.start(receiversAllowed);
  }
  receiver.answer = () => 204;
  await services.sql("update webhook_queue set claimed_until = null, next_at = now()");
  await eventually(async () => expect(told()).toEqual(await journal()));
  expect(Object.values(await journal()).flat()).toHaveLength(3 + 3 * 16);
  expect(receiver.wrong).toEqual([]);
});
