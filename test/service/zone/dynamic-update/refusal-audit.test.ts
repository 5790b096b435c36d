/** The audit of refused updates: who sees them, and how many are kept. */
import { expect, test } from "@jest/globals";
import type { Session } from "../../../../src/session/session.ts";
import { listUpdateRefusals, noteRefusedUpdate } from "../../../../src/zone/dynamic-update/refusal-audit.ts";
import { restoreDomain } from "../../../../src/zone/history/restore.ts";
import { actorOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const client = { address: "192.0.2.1", protocol: "udp", keyName: null, keyAlgorithm: null } as const;
const request = { reason: "because", requestLines: ["update delete a.example.com."] };
const refused = { code: "FORBIDDEN", rcode: "REFUSED", ...client, ...request } as const;
const note = (zone: string, reason = "because") => noteRefusedUpdate(zones.session(), { ...refused, zone, reason });
const listed = async (zone: string, session: Session = zones.session()) =>
  (await listUpdateRefusals(session, { zone }, { first: 1000 })).rows;

test("a refusal is stored with its time, and the newest comes first", async () => {
  const zone = await zones.zone();
  await note(zone, "first");
  await note(zone, "second");
  expect(await listed(zone)).toMatchObject([
    { ...refused, zone, reason: "second", createdAt: zones.now },
    { ...refused, zone, reason: "first", createdAt: zones.now },
  ]);
});

test("the user of a zone sees its refusals, the administrator those of unknown zones", async () => {
  const zone = await zones.zone();
  await note(zone);
  await note("elsewhere.example");
  const [owner, other] = [zones.session(actorOf(zones.userId)), zones.session(actorOf(zones.userId + 1))];
  expect([await listed(zone, owner), await listed(zone, other)].map(({ length }) => length)).toEqual([1, 0]);
  expect(await listed("elsewhere.example", owner)).toEqual([]);
  expect(await listed("elsewhere.example")).toHaveLength(1);
});

test("the newest hundred of a zone are kept", async () => {
  const zone = await zones.zone();
  const other = await zones.zone();
  await note(other);
  for (let at = 0; at < 103; at += 1) await note(zone, `${at}`);
  const kept = (await listed(zone)).map(({ reason }) => Number(reason));
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 102, 3]);
  expect(await listed(other)).toHaveLength(1);
});

test("the refusals of a deleted zone stay visible to its last user, and belong to the zone again when it is restored", async () => {
  const zone = await zones.zone();
  await note(zone);
  const [before] = await listed(zone);
  await zones.remove(zone);
  await note(zone, "not here any more");
  const limited = zones.session({ ...actorOf(zones.userId), zones: [zone] });
  for (const owner of [zones.session(actorOf(zones.userId)), limited])
    expect(await listed(zone, owner)).toEqual([before]);
  expect(await listed(zone, zones.session({ ...actorOf(zones.userId), zones: ["other.example"] }))).toEqual([]);
  expect(await listed(zone, zones.session(actorOf(zones.userId + 1)))).toEqual([]);
  expect((await listed(zone)).map(({ reason }) => reason)).toEqual(["not here any more", "because"]);
  const { domain } = await restoreDomain(zones.session(), { zone });
  const again = await listed(zone, zones.session(actorOf(zones.userId)));
  expect(again).toMatchObject([{ domainId: domain?.id }]);
});
