/**
 * A Knot that signs what it takes from us: its serials run ahead of ours and show nothing about what it has, and the publication is LIVE
 * all the same, also after a restored backup.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "@jest/globals";
import { CheckedZone, World } from "../../../src/finding/checked-zone.ts";
import { askOverTcp, findingsOutside } from "../../../src/finding/outside.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { ruledRecords } from "../../setup/dns/ruled-records.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { signingKnot } from "../../setup/servers/name-servers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const run = promisify(execFile);
const test = testWith("kdig", "knotc", ...signingKnot.programs);
const service = testService();
const following = testFollowing(service, signingKnot);
const zone = "signed.example.com";
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

const serial = async () => Number((await following.ask(zone, "SOA")).answers[0]?.split(" ")[2]);
const statusOf = async (name: string) => (await following.ask(name, "A", "+dnssec")).status;

test("a domain that Knot signs is LIVE, and so is each of its changes; what is not there is proven", async () => {
  await following.published("createDomain", { zone, userId });
  for (const last of [1, 2, 3]) {
    await following.add(zone, "a", `192.0.2.${last}`);
    const { answers } = await following.ask(`a.${zone}`, "A", "+dnssec");
    expect(answers).toHaveLength(last + 1);
    expect(answers).toEqual(
      expect.arrayContaining([`192.0.2.${last}`, expect.stringMatching(/^A 13 4 3600 .* signed\.example\.com\. /)]),
    );
  }
  const { answers } = await following.ask(zone, "DNSKEY", "+dnssec");
  expect(answers).toContainEqual(expect.stringMatching(/^257 3 13 /));
  expect(await statusOf(`none.${zone}`)).toBe("NXDOMAIN");
});

test("it signs again whenever it likes, and is ahead of us: no fault, and what we change is LIVE and served", async () => {
  const ours = await service.serial(zone);
  for (const ahead of [1, 2]) {
    await run("knotc", ["-c", join(following.folder, "knot.conf"), "zone-sign", zone]);
    await eventually(async () => expect(await serial()).toBe(ours + ahead));
  }
  await following.add(zone, "b", "192.0.2.9");
  await eventually(async () => expect((await following.ask(`b.${zone}`, "A")).answers).toEqual(["192.0.2.9"]));
  expect(await serial()).toBeGreaterThan(ours + 2);
});

test("asked about its zone, it wants a DS at the parent; with it nothing is found, with the DS of another key that", async () => {
  await service.domain("zonesmith.example", userId);
  for (const owner of ["ns1", "ns2"]) await following.add("zonesmith.example", owner, "127.0.0.1");
  await service.domain("example.com", userId);
  const added = ["ns1", "ns2"].map((name) => ({ owner: "signed", type: "NS", rdata: `${name}.zonesmith.example.` }));
  await following.published("changeRecords", { zone: "example.com", add: added });
  const document = `{ domain(by: { zone: "${zone}" }) { serial records { nodes { owner type rdata } } } }`;
  const stored = (await service.data(document)).domain;
  const lines = stored.records.nodes.map(({ owner, type, rdata }: Json) => `${owner} ${type} ${rdata}`);
  const now = new Date(0);
  const world = new World({ now, secondaries: [], acmeKeys: [] });
  const about = { zone, serial: stored.serial, userId: null, ignored: new Set<string>() };
  const checked = new CheckedZone(about, ruledRecords(zone, lines), world);
  const resolver = { address: "127.0.0.1", port: following.port };
  const codes = async () =>
    (
      await findingsOutside(checked, {
        resolver,
        ask: askOverTcp,
        changedAt: () => undefined,
        mayAsk: () => true,
        now,
        port: following.port,
      })
    ).map(({ code }) => code);
  expect(await codes()).toEqual(["CDS_DIFFERS"]);
  const [wanted = ""] = (await following.ask(zone, "CDS")).answers;
  const takes = async (rdata: string, remove: readonly string[] = []) => {
    const add = [{ owner: "signed", type: "DS", rdata }];
    return following.published("changeRecords", { zone: "example.com", add, remove }, "records { id }");
  };
  const { records } = await takes(wanted);
  expect(await codes()).toEqual([]);
  await takes(`1 13 2 ${"00".repeat(32)}`, [records[0].id]);
  expect(await codes()).toEqual(["DS_WITHOUT_KEY"]);
});

test("after a restored backup it serves what is restored as soon as it is LIVE, and nothing of what was lost", async () => {
  const [written, untouched] = ["written.example", "untouched.example"];
  for (const each of [written, untouched]) {
    await service.domain(each, userId);
    await following.add(each, "before");
  }
  await service.backup();
  for (const each of [written, untouched]) for (const owner of ["lost", "lost2"]) await following.add(each, owner);
  await service.restore();
  for (const owner of ["new", "new2"]) await following.add(written, owner);
  expect([await statusOf(`new.${written}`), await statusOf(`lost.${written}`)]).toEqual(["NOERROR", "NXDOMAIN"]);
  const document = `{ domain(by: { zone: "${untouched}" }) { changes(first: 1) { nodes { id source } } } }`;
  const last = async () => (await service.data(document)).domain.changes.nodes[0];
  await eventually(async () => expect((await last()).source).toBe("SYSTEM"));
  await following.live((await last()).id);
  expect(await statusOf(`before.${untouched}`)).toBe("NOERROR");
  expect(await statusOf(`lost.${untouched}`)).toBe("NXDOMAIN");
  const raises = "select zone from change where zone in ($1, $2) and door = 'system' order by zone";
  expect(await service.sql(raises, [written, untouched])).toEqual([{ zone: untouched }, { zone: written }]);
});
