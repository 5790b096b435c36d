/**
 * A database restored from a backup under a Knot that signs: its serials are its own and show nothing about what it has.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { signingKnot } from "../setup/servers/name-servers.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("kdig", ...signingKnot.programs);
const service = testService();
const following = testFollowing(service, signingKnot);
const zones = ["written.example", "untouched.example"];
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

/** Adds a record and waits until Knot is shown to serve it. */
async function add(zone: string, owner: string): Promise<void> {
  const document = mutation("createRecord", "change { id }");
  const input = { zone, owner, type: "A", rdata: "192.0.2.1" };
  await following.live((await service.data(document, { input })).createRecord.change.id, 60_000);
}

const statusOf = async (name: string) => (await following.ask(name, "A")).status;

test("after a restored backup a signer serves what is restored as soon as it is LIVE, and nothing of what was lost", async () => {
  for (const zone of zones) {
    await service.domain(zone, userId);
    await add(zone, "before");
  }
  await service.backup();
  for (const zone of zones) for (const owner of ["lost", "lost2"]) await add(zone, owner);
  await service.restore();
  await add("written.example", "new");
  await add("written.example", "new2");
  expect(await statusOf("new.written.example")).toBe("NOERROR");
  expect(await statusOf("lost.written.example")).toBe("NXDOMAIN");
  const document = `{ domain(by: { zone: "untouched.example" }) { changes(first: 1) { nodes { id door } } } }`;
  const last = async () => (await service.data(document)).domain.changes.nodes[0];
  await eventually(async () => expect((await last()).door).toBe("SYSTEM"));
  await following.live((await last()).id, 60_000);
  expect(await statusOf("before.untouched.example")).toBe("NOERROR");
  expect(await statusOf("lost.untouched.example")).toBe("NXDOMAIN");
  const raises = "select zone from change where zone <> 'catalog.zonesmith' and door = 'system' order by zone";
  expect(await service.sql(raises)).toEqual([{ zone: "untouched.example" }, { zone: "written.example" }]);
});
