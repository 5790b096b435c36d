/** `zonesmith resync --all` after a restored backup: what it shows, asks and raises. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Rcode } from "../../../src/dns/message/header.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService({ RESTORE_POLICY: "confirm" });
const cli = commandLine(service);
const secondary = new FollowingResponder(service);
const [ahead, level] = ["ahead.example", "level.example"];
beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of [ahead, level]) await service.domain(zone, userId);
  await secondary.register("s");
});
afterAll(() => secondary.close());

/** Waits until both zones and the catalog are LIVE. */
const allLive = () =>
  eventually(async () => {
    const document = "{ domains { nodes { publication { state } } } catalog { publication { state } } }";
    const { domains, catalog } = await service.data(document);
    const states = [...domains.nodes, catalog].map(({ publication }: Json) => publication.state);
    expect(states).toEqual(["LIVE", "LIVE", "LIVE"]);
  });

test("it shows which secondaries are ahead, and raises nothing before it is confirmed; then all are LIVE", async () => {
  await allLive();
  await cli.shows(`
    $ resync --all
    No secondary is ahead of this service; nothing was changed.
    [4]
    $ resync => [2] required option '--all' not specified
  `);
  await service.backup();
  for (const owner of ["lost", "lost2"]) await service.record(ahead, owner, "A", "192.0.2.1");
  await allLive();
  const lost = secondary.serials.get(ahead) as number;

  await service.restore();
  const ours = await service.serial(ahead);
  await eventually(async () =>
    expect((await service.data("{ pendingRestore { zoneCount } }")).pendingRestore).not.toBeNull(),
  );
  const consequence =
    "This raises 1 zone; what only the secondaries have of them is lost. RESTORE_POLICY holds back 1 zone, which this publishes.";
  await cli.shows(`
    $ resync --all --dry-run
    ZONE  OUR SERIAL  ITS SERIAL  AHEAD BY  SECONDARY
    ${ahead}  ${ours}  ${lost}  ${lost - ours}  s
    ${consequence} Nothing was changed yet.
    $ resync --all … => [1] zonesmith: ${consequence} Write --yes if it is meant.
  `);
  expect(await service.serial(ahead)).toBe(ours);
  const [code, stdout, stderr] = await cli.run("resync --all --yes --json");
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual({
    ahead: [{ zone: ahead, serial: ours, served: lost, lead: lost - ours, secondary: "s" }],
    raised: [{ zone: ahead, serial: expect.any(Number) }],
  });
  await allLive();
  expect(secondary.serials.get(ahead)).toBeGreaterThan(lost);
  expect((await cli.run("resync --all"))[0]).toBe(4);
});

test("a serial half the circle away, which has no order, is reached by a step and a second run", async () => {
  secondary.onNotify = () => Rcode.NOERROR;
  await service.record(level, "changed", "A", "192.0.2.1");
  const ours = await service.serial(level);
  const served = (ours + 2 ** 31) % 2 ** 32;
  secondary.serials.set(level, served);
  await eventually(async () => {
    const { ahead } = JSON.parse((await cli.run("resync --all --dry-run --json"))[1]);
    expect(ahead).toEqual([{ zone: level, serial: ours, served, lead: 2 ** 31, secondary: "s" }]);
  });
  expect((await cli.run("resync --all --yes"))[1]).toContain("run it again when the other secondaries have that");
  expect(await service.serial(level)).toBe(ours + 2);
  expect((await cli.run("resync --all --yes"))[1]).toContain("1 zone raised; the secondaries transfer them whole.\n");
  expect(await service.serial(level)).toBe(served + 1);
});
