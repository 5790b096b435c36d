/** With RESTORE_POLICY=confirm nothing reaches a secondary that has more than a restored database, until an administrator confirms it. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService({ RESTORE_POLICY: "confirm" });
const secondary = new FollowingResponder(service);
const [restored, level, catalog] = ["restored.example", "level.example", "catalog.zonesmith"];

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of [restored, level]) await service.domain(zone, userId);
  await secondary.register("s");
});
afterAll(() => secondary.close());

const hold = async (): Promise<Json> =>
  (await service.data("{ pendingRestore { pendingSince zoneCount secondaryNames } }")).pendingRestore;
const confirm = (pendingSince: string) => service.mutate("confirmRestore", { pendingSince }, "confirmed { zoneCount }");

/** Expects the state of a zone, or of the catalog, at the secondary; returns what is said about it. */
async function expectState(zone: string, state: string): Promise<string | null> {
  const of = zone === catalog ? "catalog" : `domain(by: { zone: "${zone}" })`;
  return eventually(async () => {
    const { it } = await service.data(`{ it: ${of} { publication { state secondaries { lastError } } } }`);
    expect([zone, it?.publication.state]).toEqual([zone, state]);
    return it.publication.secondaries[0].lastError;
  });
}

test("a zone that is ahead after a restore is held at the secondary, others are published; a confirmation ends that", async () => {
  for (const zone of [catalog, restored, level]) await expectState(zone, "LIVE");
  await service.backup();
  await service.record(restored, "lost", "A", "192.0.2.1");
  await service.record(restored, "lost2", "A", "192.0.2.1");
  await expectState(restored, "LIVE");
  const lost = secondary.serials.get(restored) as number;

  await service.pause();
  const notified = secondary.notified(restored).length;
  await service.restore();
  await service.record(restored, "new", "A", "192.0.2.2");
  await service.record(level, "new", "A", "192.0.2.2");
  await eventually(async () => expect(await hold()).toMatchObject({ zoneCount: 1, secondaryNames: ["s"] }));
  await expectState(level, "LIVE");
  await eventually(async () => expect(await expectState(restored, "PENDING")).toContain("confirmRestore"));
  await service.record(restored, "new2", "A", "192.0.2.2");
  await service.record(restored, "new3", "A", "192.0.2.2");
  expect(await secondary.follow(restored, lost)).toBe("rcode 5");
  expect(await secondary.follow(restored)).toBe("rcode 5");
  expect(secondary.notified(restored)).toHaveLength(notified);

  await expect(confirm("2026-11-22T00:00:00Z")).rejects.toThrow("read pendingRestore again");
  const { pendingSince } = await hold();
  expect(await confirm(pendingSince)).toEqual({ confirmed: { zoneCount: 1 } });
  await expectState(restored, "LIVE");
  expect(secondary.serials.get(restored)).toBeGreaterThan(lost);
  await eventually(async () => expect(await hold()).toBeNull());
});
