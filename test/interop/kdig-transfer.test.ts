/**
 * A transfer of records of every type, as kdig reads it.
 */
import { expect } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { run } from "../setup/servers/kdig.ts";
import { generateZone } from "../setup/service/generated-zone.ts";
import { testFront } from "../setup/service/nameserver.ts";
import { testService } from "../setup/service/service.ts";

const service = testService({ RRSET_RECORDS: "4000", OWNER_TYPES: "200" });
const front = testFront(service, {
  idle: 600,
  hooks: { transferAccess: () => ({ mayTransfer: true, fitsDifferencesTo: null }) },
});

testWith("kdig")("kdig prints as many records as the zone has", async () => {
  await generateZone(service, await service.user("owner@example.com"), "types.example", 7);
  const [{ records }] = (await service.sql<{ records: number }>(
    "select count(*)::int as records from zone_record r join domain d on d.id = r.domain_id where d.zone = 'types.example'",
  )) as [{ records: number }];
  const printed = await run("kdig", [
    "@127.0.0.1",
    "-p",
    `${front.port}`,
    "+noall",
    "+answer",
    "types.example",
    "AXFR",
  ]);
  const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  // The SOA stands at both ends of a transfer.
  expect(lines).toHaveLength(records + 1);
});
