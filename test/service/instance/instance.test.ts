/** The rows of instances: who is there, who leads, and who is gone. */
import { expect, jest, test } from "@jest/globals";
import { type Heartbeat, listInstances, removeInstance, storeHeartbeat } from "../../../src/instance/instance.ts";
import { Presence } from "../../../src/instance/presence.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { query } from "../../setup/database/database.ts";
import { testZones } from "../../setup/zones/session.ts";

const database = testZones();

const beat = (number: number, term: number | null): Heartbeat => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  host: `host${number}`,
  pid: number,
  version: "1",
  term,
});

const listed = async () =>
  (await listInstances(database.session())).map(
    ({ host, isAlive, isLeader }) => `${host}${isLeader ? " leads" : ""}${isAlive ? "" : " gone"}`,
  );

test("the one with the last term leads, one that is silent is gone, and is forgotten after an hour", async () => {
  for (const each of [beat(1, 7), beat(2, 6), beat(3, null)]) await storeHeartbeat(database.session(), each);
  expect(await listed()).toEqual(["host1 leads", "host2", "host3"]);
  await storeHeartbeat(database.session(), beat(2, 8));
  expect(await listed()).toEqual(["host2 leads", "host1", "host3"]);
  await query(database.url, "update instance set seen_at = now() - interval '1 minute' where pid = 2");
  expect(await listed()).toEqual(["host1", "host2 gone", "host3"]);
  await query(database.url, "update instance set seen_at = now() - interval '61 minutes' where pid = 2");
  await storeHeartbeat(database.session(), beat(3, 9));
  expect(await listed()).toEqual(["host3 leads", "host1"]);
  await removeInstance(database.session(), beat(3, null).id);
  await storeHeartbeat(database.session(), beat(1, null));
  expect(await listed()).toEqual(["host1"]);
  await removeInstance(database.session(), beat(1, null).id);
});

test("a process is there from its start to its stop, and leads as soon as it is elected", async () => {
  const presence = new Presence({ session: () => database.session(), log: { debug: () => {} } });
  const own = async () => (await listInstances(database.session())).find(({ pid }) => pid === process.pid);
  try {
    await eventually(async () => expect(await own()).toMatchObject({ isAlive: true, isLeader: false }));
    presence.lead(1);
    await eventually(async () => expect(await own()).toMatchObject({ isLeader: true }));
  } finally {
    await presence.stop();
  }
  expect(await own()).toBeUndefined();
});

test("whether it may go on is asked before its row is written, also where a later version has changed that table", async () => {
  let asked = 0;
  const session = jest.fn(() => database.session());
  const mayGoOn = async () => {
    asked += 1;
    return false;
  };
  await query(database.url, "alter table instance rename column host to machine");
  const presence = new Presence({ session, log: { debug: () => {} }, mayGoOn });
  try {
    await eventually(() => expect(asked).toBe(1));
    expect(session).not.toHaveBeenCalled();
  } finally {
    await presence.stop();
    await query(database.url, "alter table instance rename column machine to host");
  }
});

test("where that cannot be asked, it is there all the same", async () => {
  const mayGoOn = () => Promise.reject(new Error("no answer"));
  const presence = new Presence({ session: () => database.session(), log: { debug: () => {} }, mayGoOn });
  try {
    await eventually(async () => expect(await listed()).toHaveLength(1));
  } finally {
    await presence.stop();
  }
});
