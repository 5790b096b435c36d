/**
 * A Knot that signs what it takes from us: its serials run ahead of ours, and the publication is LIVE all the same.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { signingKnot } from "../setup/servers/name-servers.ts";
import { mutation, testService } from "../setup/service/service.ts";

const run = promisify(execFile);
const test = testWith("kdig", "knotc", ...signingKnot.programs);
const service = testService();
const following = testFollowing(service, signingKnot);
const zone = "signed.example.com";
const add = mutation("createRecord", "change { id serial }");
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

test("a domain that Knot signs is LIVE, and so is each of its changes", async () => {
  const create = mutation("createDomain", "change { id }");
  await following.live((await service.data(create, { input: { zone, userId } })).createDomain.change.id);
  for (const last of [1, 2, 3]) {
    const input = { zone, owner: "a", type: "A", rdata: `192.0.2.${last}` };
    await following.live((await service.data(add, { input })).createRecord.change.id);
    const { answers } = await following.ask(`a.${zone}`, "A", "+dnssec");
    expect(answers).toHaveLength(last + 1);
    expect(answers).toEqual(
      expect.arrayContaining([`192.0.2.${last}`, expect.stringMatching(/^A 13 4 3600 .* signed\.example\.com\. /)]),
    );
  }
});

test("it publishes its keys, and proves what is not there", async () => {
  const keys = await following.ask(zone, "DNSKEY", "+dnssec");
  expect(keys.answers).toEqual(
    expect.arrayContaining([expect.stringMatching(/^257 3 13 /), expect.stringMatching(/^DNSKEY 13 3 /)]),
  );
  expect((await following.ask(`none.${zone}`, "A", "+dnssec")).status).toBe("NXDOMAIN");
});

test("it signs anew whenever it likes, and is ahead of us: no fault, and what we change is LIVE and served", async () => {
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { serial } }`);
  for (const ahead of [1, 2]) {
    await run("knotc", ["-c", join(following.folder, "knot.conf"), "zone-sign", zone]);
    await eventually(async () => expect(await serial()).toBe(domain.serial + ahead));
  }
  const input = { zone, owner: "b", type: "A", rdata: "192.0.2.9" };
  await following.live((await service.data(add, { input })).createRecord.change.id);
  await eventually(async () => expect((await following.ask(`b.${zone}`, "A")).answers).toEqual(["192.0.2.9"]));
  expect(await serial()).toBeGreaterThan(domain.serial + 2);
});

const serial = async (): Promise<number> => Number((await following.ask(zone, "SOA")).answers[0]?.split(" ")[2]);
