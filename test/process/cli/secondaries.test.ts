/** The commands of secondaries: keys of their own, stanzas, and what was seen of them. */
import { expect, test } from "@jest/globals";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

const service = testService();
const cli = commandLine(service);

test("a secondary is registered with a key of its own, with one that is there, or without, and its stanza is printed", async () => {
  await service.mutate("createTsigKey", { name: "shared.example.com" }, "secret");
  await cli.shows(`
    $ secondary add "Knot in Graz" 127.0.0.1 5353 --no-notify …
    Knot in Graz at 127.0.0.1 port 5353 is registered; it signs with the key knot-in-graz.zonesmith.…
    $ secondary add one 127.0.0.1 5354 --tsig-key Shared.example.com.
    $ secondary add two ::1 5355 --no-tsig --no-required --indirect => …Let it send its zones to this service (AXFR)…
  `);
  const fields = "id name notify requiredForLive indirect tsigKey { name }";
  const { nodes } = (await service.data(`{ secondaries { nodes { ${fields} } } }`)).secondaries;
  expect(nodes).toMatchObject([
    { name: "Knot in Graz", notify: false, requiredForLive: true, tsigKey: { name: "knot-in-graz.zonesmith" } },
    { name: "one", notify: true, requiredForLive: true, indirect: false, tsigKey: { name: "shared.example.com" } },
    { name: "two", requiredForLive: false, indirect: true, tsigKey: null },
  ]);
  const document = `{ secondaryConfig(by: { id: "${nodes[0].id}" }, server: KNOT, primaries: ["192.0.2.1"]) }`;
  const stanza = await cli.printed('secondary config "Knot in Graz" --server knot --primary 192.0.2.1');
  expect(stanza).toBe((await service.data(document)).secondaryConfig);
});

test("a refused registration leaves no key behind, and trying again works; so does registering again what was removed", async () => {
  expect((await cli.run("secondary add again 192.0.2.300 53"))[0]).toBe(1);
  expect(await service.sql("select from tsig_key where name = 'again.zonesmith'")).toEqual([]);
  const again = `
    $ secondary add again 127.0.0.1 5360 => …signs with the key again.zonesmith.…
    $ secondary remove again
  `;
  for (const _time of [1, 2]) await cli.shows(again);
  await service.sql("update tsig_key set revoked_at = now() where name = 'again.zonesmith'");
  expect(await cli.printed("secondary add again 127.0.0.1 5360")).toContain("the key again-2.zonesmith.");
});

test("a stanza has the address and port of --primary, or those that the service has, with a warning where they lead nowhere", async () => {
  await cli.shows(`
    $ secondary add far 192.0.2.53 53
    $ secondary config far --server knot …
    …address: 127.0.0.1@${service.dnsPort}
    2> warning: 127.0.0.1 leads 192.0.2.53 to itself…
    $ secondary config far --server knot --primary [2001:db8::1]:53 …
    …address: 2001:db8::1@53
    $ secondary config far --server knot --primary 192.0.2.1:53 --primary 192.0.2.2:53 …
    …address: [192.0.2.1@53, 192.0.2.2@53]
    $ secondary config far --server knot --primary 192.0.2.1:0 => [1] primaries: write a port
    $ secondary add x nowhere 53 --no-tsig => [1] zonesmith: address: write an IPv4 or IPv6 address
    $ secondary add x 127.0.0.1 dns => [1] zonesmith: port: "dns" is not a port
    $ secondary add x 127.0.0.1 53 --tsig-key none => [1] zonesmith: There is no TSIG key none
    $ secondary config nobody --server knot => [1] zonesmith: There is no secondary nobody; look it up
    $ secondary config nobody --server djbdns => [2] djbdns
    $ secondary config nobody => [2] --server
    $ secondary change far => [2] nothing to change is given; write --name, 
  `);
  const key = await service.key({ name: "user", userId: await service.user("command@example.com") });
  const [, , refused] = await cli.run("secondary config far --server knot", { ZONESMITH_API_KEY: key });
  expect(refused).toMatch(/^zonesmith: Only an administrator's key may do this/);
});

test("what was seen of secondaries is named: a line for each at a domain, and no number or heading without its word", async () => {
  await service.sql("delete from secondary");
  const sightings = new Sightings(service);
  const domain = await service.domain("shown.example", await service.user("shown@example.com"));
  await sightings.see(await sightings.secondary("graz"), domain, { serial: 7 });
  await sightings.see(await sightings.secondary("linz"), domain, { serial: 7, error: "timeout" });
  await cli.shows(`
    $ domain show shown.example …
    …  graz: PENDING, serial 7
      linz: PENDING, serial 7, timeout
  `);
  const shown = (await cli.printed("secondary show graz")).trim().split("\n");
  const headings = shown.map((line) => line.split("  ")[0]);
  expect(headings).toEqual([...new Set(headings)]);
});
