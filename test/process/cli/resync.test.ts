/**
 * `zonesmith resync --all` after a restored backup: what it shows, asks and raises.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import {
  beginningDocument,
  behindDocument,
  confirmRestoreDocument,
  resyncCatalogDocument,
  resyncDocument,
} from "../../../src/cli/resync.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { zonesmith } from "../../setup/process/process.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { adminKey, type Json, testService } from "../../setup/service/service.ts";

const service = testService({ RESTORE_POLICY: "confirm" });
const secondary = new FollowingResponder(service);
const [ahead, level] = ["ahead.example", "level.example"];
beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of [ahead, level]) await service.domain(zone, userId);
  await secondary.register("s");
});
afterAll(() => secondary.close());

async function resync(...words: string[]): Promise<[number | null, string, string]> {
  const command = zonesmith(["resync", ...words], { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });
  const code = await command.ended();
  const { stdout, stderr } = command.output();
  return [code, stdout, stderr];
}

const consequence =
  "This raises 1 zone; what only the secondaries have of them is lost. RESTORE_POLICY holds back 1 zone, which this publishes.";

/** Waits until both zones and the catalog are LIVE. */
const allLive = () =>
  eventually(async () => {
    const document = "{ domains { nodes { publication { state } } } catalog { publication { state } } }";
    const { domains, catalog } = await service.data(document);
    const states = [...domains.nodes, catalog].map(({ publication }: Json) => publication.state);
    expect(states).toEqual(["LIVE", "LIVE", "LIVE"]);
  });

test("its operations are those of the schema", async () => {
  const schema = await createSchema();
  const documents = [beginningDocument, behindDocument, resyncDocument, resyncCatalogDocument, confirmRestoreDocument];
  expect(documents.flatMap((document) => validate(schema, parse(document)))).toEqual([]);
});

test("it shows which secondaries are ahead, and raises nothing before it is confirmed; then all are LIVE", async () => {
  await allLive();
  expect(await resync("--all")).toEqual([4, "No secondary is ahead of this service; nothing was changed.\n", ""]);
  expect(await resync()).toEqual([2, "", expect.stringContaining("required option '--all' not specified")]);
  await service.backup();
  for (const owner of ["lost", "lost2"]) await service.record(ahead, owner, "A", "192.0.2.1");
  await allLive();
  const lost = secondary.serials.get(ahead) as number;

  await service.restore();
  const ours = await service.serial(ahead);
  await eventually(async () =>
    expect((await service.data("{ restoreHold { zoneCount } }")).restoreHold).not.toBeNull(),
  );
  const shown = await resync("--all", "--dry-run");
  expect(shown).toEqual([
    0,
    `ZONE           OUR SERIAL  ITS SERIAL  SECONDARY\n${ahead}  ${ours}  ${lost}  s\n${consequence} Nothing was changed yet.\n`,
    "",
  ]);
  const refused = `zonesmith: ${consequence} Write --yes if it is meant.\n`;
  expect(await resync("--all")).toEqual([1, expect.stringContaining("OUR SERIAL"), refused]);
  expect(await service.serial(ahead)).toBe(ours);
  const [code, stdout, stderr] = await resync("--all", "--yes", "--json");
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toEqual({
    ahead: [{ zone: ahead, serial: ours, served: lost, secondary: "s" }],
    raised: [{ zone: ahead, serial: expect.any(Number) }],
  });
  await allLive();
  expect(secondary.serials.get(ahead)).toBeGreaterThan(lost);
  expect((await resync("--all"))[0]).toBe(4);
});
