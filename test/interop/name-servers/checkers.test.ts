/**
 * What the tools of each server say of what we print: the stanza that makes it a secondary, and zones of generated records of every
 * type. Elsewhere than in CI a tool that is not installed is skipped.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { identities } from "../../setup/dns/identities.ts";
import { type Server, servers } from "../../setup/servers/name-servers.ts";
import { check } from "../../setup/servers/zone-checker.ts";
import { creatableTypes, type GeneratedZone, generateZone } from "../../setup/service/generated-zone.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService({ DNS_LISTEN: "127.0.0.1", CATALOG_ZONE: "catalog.example.net" });
const folder = temporaryFolder();
const zones: GeneratedZone[] = [];
const fileOf = ({ zone }: GeneratedZone) => join(folder, zone);
let signed: string;
let unsigned: string;

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const seed of [1, 2, 3, 4]) zones.push(await generateZone(service, userId, `z${seed}.example.org`, seed));
  for (const zone of zones) writeFileSync(fileOf(zone), zone.file);
  for (const zone of ["example.com", "0/26.2.0.192.in-addr.arpa", "xn--mller-kva.example", "_tcp.example.org"])
    await service.domain(zone, userId);
  const key = { name: "checked-1.example.com", algorithm: "HMAC_SHA512" };
  const { tsigKey } = await service.mutate("createTsigKey", key, "tsigKey { id }");
  const create = async (input: object): Promise<string> => {
    const place = { address: "127.0.0.7", notify: false, ...input };
    return (await service.mutate("createSecondary", place, "secondary { id }")).secondary.id;
  };
  signed = await create({ name: "the signed one", port: 5301, tsigKeyId: tsigKey.id });
  unsigned = await create({ name: "the unsigned one", port: 5302 });
});

async function stanza({ stanza: server }: Server, secondary: string, primaries?: readonly string[]): Promise<string> {
  const document = `query ($secondary: ID!, $server: SecondaryServer!, $primaries: [String!]) {
    secondaryConfig(by: { id: $secondary }, server: $server, primaries: $primaries) }`;
  return (await service.data(document, { secondary, server, primaries })).secondaryConfig;
}

/** What the server's checker says of a configuration, which is as we print it. */
function checkConfig({ configFile, checksConfig }: Server, text: string) {
  writeFileSync(join(folder, configFile), text);
  const [program, ...words] = checksConfig(folder);
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  return { status, output: status === 0 ? "" : stdout + stderr };
}

test("the generated zones hold every type that can be created, and come out as they went in", async () => {
  for (const { zone, file, records } of zones) {
    const held = new Set(records.map((each) => each.split(" ")[2]));
    expect(creatableTypes.filter(({ code }) => !held.has(`TYPE${code}`))).toEqual([]);
    expect(await identities(file, zone)).toEqual(records);
  }
});

describe.each(servers)("$name", (server) => {
  const [configChecker] = server.checksConfig(folder);
  const configTest = testWith(configChecker);

  configTest.each([
    ["with a key", () => signed, undefined],
    ["without a key", () => unsigned, undefined],
    ["over IPv6", () => signed, ["2001:db8::1"]],
    ["with two primaries", () => signed, ["192.0.2.1:53", "2001:db8::1"]],
    ["with two primaries and without a key", () => unsigned, ["192.0.2.1:53", "2001:db8::1"]],
  ])(`${configChecker} accepts the stanza %s`, async (_how, secondary, primaries) => {
    expect(checkConfig(server, await stanza(server, secondary(), primaries))).toEqual({ status: 0, output: "" });
  });

  configTest(`${configChecker} refuses the stanza when a word of it is broken`, async () => {
    const text = await stanza(server, signed);
    const broken = text.replace(/^(\s*)(remote|options|pattern|secondary)\b/m, "$1nonsense");
    expect(checkConfig(server, broken).status).not.toBe(0);
  });

  const { zoneChecker } = server;
  if (!zoneChecker) return;
  const { program, prints } = zoneChecker;
  const zoneTest = testWith(program);

  zoneTest(`${program} objects to none of the generated zones`, () => {
    for (const each of zones)
      expect([each.zone, check(zoneChecker, each.zone, fileOf(each)).objections]).toEqual([each.zone, []]);
  });

  if (!prints) return;
  zoneTest(`${program} prints the records that we hold`, async () => {
    const left = prints.but.map((mnemonic) => ` TYPE${recordType(mnemonic).code} `);
    const compared = (records: readonly string[]) =>
      records.filter((each) => !left.some((type) => each.includes(type)));
    for (const each of zones) {
      const { printed } = check(zoneChecker, each.zone, fileOf(each));
      expect(compared(await identities(printed, each.zone))).toEqual(compared(each.records));
    }
  });
});
