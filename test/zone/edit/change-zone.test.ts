import { beforeAll, expect, test } from "@jest/globals";
import { testService } from "../../setup/service.ts";

const service = testService();
let userId: string;
beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

test("an edit of some fields keeps an owner that looks like the zone's own name", async () => {
  await service.domain("twice.example.com", userId);
  const id = await service.record("twice.example.com", "twice.example.com.twice.example.com.", "A", "192.0.2.1");
  const { updateRecord } = await service.data(
    `mutation { updateRecord(input: { id: "${id}", rdata: "192.0.2.2" }) { record { owner rdata } } }`,
  );
  expect(updateRecord.record).toEqual({ owner: "twice.example.com", rdata: "192.0.2.2" });
});

test("a domain is born with its SOA, its name servers and www", async () => {
  await service.domain("born.example.com", userId);
  const { domain } = await service.data(
    '{ domain(zone: "born.example.com") { serial user { email } records { nodes { owner type ttl rdata } totalCount } changes { nodes { kind serial previousSerial } } } }',
  );
  const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  expect(domain).toEqual({
    serial: Number(`${today}01`),
    user: { email: "owner@example.com" },
    records: {
      totalCount: 4,
      nodes: [
        {
          owner: "@",
          type: "SOA",
          ttl: 3600,
          rdata: `ns1.zonesmith.example. hostmaster.zonesmith.example. ${today}01 10800 3600 1209600 3600`,
        },
        { owner: "@", type: "NS", ttl: 3600, rdata: "ns1.zonesmith.example." },
        { owner: "@", type: "NS", ttl: 3600, rdata: "ns2.zonesmith.example." },
        { owner: "www", type: "CNAME", ttl: 3600, rdata: "born.example.com." },
      ],
    },
    changes: { nodes: [{ kind: "CREATE", serial: Number(`${today}01`), previousSerial: null }] },
  });
});
