/**
 * Zones that were made before NAME_SERVERS and HOSTMASTER were set: the start, `status` and `edit` say how many they are, and one command
 * repairs them.
 */
import { expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const settings: Record<string, string> = { LOG_LEVEL: "warn" };
const service = testService(settings);
const cli = commandLine(service);
const zones = ["lame.example.com", "lame.example.net"] as const;

test("zones that are lame since they were made before the settings are named, and repaired by one command", async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of zones) await service.domain(zone, userId);
  await cli.shows(`
    $ edit --example-names … => [1] set.exampleNames: the service itself uses the example names
    $ status …
    …
    2> warning: New zones are lame: …
    2> warning: New zones name a hostmaster …
    2> warning: 2 zones have the example's name servers or mailbox in NS and SOA records. Once NAME_SERVERS and HOSTMASTER are set, "zonesmith edit --example-names" shows the repair and asks before it makes it.
  `);
  await service.pause();
  Object.assign(settings, { NAME_SERVERS: "ns1.own.test. ns2.own.test. ns3.own.test.", HOSTMASTER: "me@own.test" });
  service.logged.length = 0;
  await service.resume();
  const warning = `2 zones have the example's name servers or mailbox in NS and SOA records. "zonesmith edit --example-names" shows the repair and asks before it makes it.`;
  await eventually(() => expect(service.logged.map((line) => JSON.parse(line).msg)).toEqual([warning]));
  await cli.shows(`
    $ edit --type SOA --ttl 60 => [1] filter.types: only the names of an SOA can be edited here, by set.replace.name
    $ edit --example-names --zones ${zones[0]} --dry-run
    3 records match, 3 change in 1 zones; others may know the old ones for 3600 s.
    +++ ${zones[0]}
    @@ @ SOA @@
    -@ 3600 IN SOA ns1.zonesmith.example. hostmaster.zonesmith.example. <serial> 10800 3600 1209600 3600
    +@ 3600 IN SOA ns1.own.test. me.own.test. <next> 10800 3600 1209600 3600
    @@ @ NS @@
    -@ 3600 IN NS ns1.zonesmith.example.
    -@ 3600 IN NS ns2.zonesmith.example.
    +@ 3600 IN NS ns3.own.test.
    +@ 3600 IN NS ns1.own.test.
    +@ 3600 IN NS ns2.own.test.
    1 of 1 zones change: 3 records go, 4 come.
    Nothing was changed.
    $ edit --example-names … => [1] Write --yes if it is meant.
    $ edit --example-names --yes => …is APPLIED.
    $ show ${zones[1]} --type NS => …  @  3600  NS  ns3.own.test.
    $ show ${zones[1]} --type SOA => …ns1.own.test. me.own.test. …
    $ edit --example-names --yes …
    Nothing was changed.
    [4]
    $ edit --name me.own.test --to you.own.test --dry-run => 2 records match, 2 change in 2 zones; others may know the old ones for 3600 s.
  `);
  expect((await cli.run("status"))[2]).toBe("");
});
