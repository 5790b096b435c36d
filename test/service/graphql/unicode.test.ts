import { beforeAll, describe, expect, test } from "@jest/globals";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "example.com";
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
});

describe("unicode", () => {
  test.each([
    ["bücher.example", "xn--bcher-kva.example", "bücher.example"],
    ["XN--BCHER-KVA.example.net", "xn--bcher-kva.example.net", "bücher.example.net"],
    ["xn--a.example", "xn--a.example", "xn--a.example"],
    ["0/26.2.0.192.in-addr.arpa", "0/26.2.0.192.in-addr.arpa", "0/26.2.0.192.in-addr.arpa"],
  ])("of the zone %s stored as %s is %s, which finds it", async (given, zone, unicode) => {
    await service.domain(given, userId);
    expect((await service.data(`{ domain(by: { zone: "${unicode}" }) { zone unicode: zoneUnicode } }`)).domain).toEqual(
      {
        zone,
        unicode,
      },
    );
  });

  test.each([
    ["straße", "xn--strae-oqa", "straße"],
    ["*.ΔΟΚΙΜΉ", "*.xn--jxalpdlp", "*.δοκιμή"],
    ["_sip._tcp", "_sip._tcp", "_sip._tcp"],
    ["a\\.b", "a\\046b", "a\\046b"],
    ["@", "@", "@"],
  ])("of the owner %s stored as %s is %s, which finds it", async (given, owner, unicode) => {
    await service.record(zone, given, "LP", "1 locator.example.net.");
    const document = `query ($filter: RecordFilter) { records(filter: $filter) { nodes { owner unicode: ownerUnicode } } }`;
    const { records } = await service.data(document, { filter: { zone, owner: unicode, types: "LP" } });
    expect(records.nodes).toEqual([{ owner, unicode }]);
  });

  test.each(["Müller", "müller.shop", "shop.Zürich", "mueller"])("of whole labels in a filter: %s", async (part) => {
    const names = { ascii: "mueller-shop.zuerich.example", unicode: "müller.shop.zürich.example" };
    for (const name of Object.values(names)) await service.domain(name, userId).catch(() => {});
    await service.record(zone, "müller.shop", "A", "192.0.2.1").catch(() => {});
    const document = "query ($filter: DomainFilter) { domains(filter: $filter) { nodes { zoneUnicode } } }";
    const { domains } = await service.data(document, { filter: { zoneContains: part } });
    expect(domains.nodes).toEqual([{ zoneUnicode: part === "mueller" ? names.ascii : names.unicode }]);
    const owners = `{ domain(by: { zone: "${zone}" }) { records(ownerPrefix: "${part}") { nodes { ownerUnicode } } } }`;
    const { nodes } = (await service.data(owners)).domain.records;
    expect(nodes).toEqual(/^müller/i.test(part) ? [{ ownerUnicode: "müller.shop" }] : []);
  });
});
