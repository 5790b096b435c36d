/** The commands that look back and go back: what they print, what they ask, and what they leave behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "@jest/globals";
import { commandLine, inShell } from "../../setup/process/command-line.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const [zone, neighbour] = ["cli.example.com", "cli.example.net"];
let userId: string;

beforeAll(async () => {
  userId = await service.user("cli@example.com");
  for (const name of [zone, neighbour]) await service.domain(name, userId);
});

const change = async (input: object, key = adminKey) =>
  await service.mutate("changeRecords", { zone, ...input }, "records { id } change { id serial }", key);

test("a mistake is found, looked at, and undone", async () => {
  const added = await change({ add: [{ owner: "@", type: "MX", rdata: "10 mail.example.org." }] });
  const removed = await change({ remove: [added.records[0].id], note: "clean up" });
  await change({ add: [{ owner: "later", type: "TXT", rdata: "x" }] });
  const [addition, since, removal] = [added.change.id, added.change.serial, removed.change.id];
  await cli.shows(`
    $ history ${zone} --since 2h
    SERIAL  WHAT  WHEN  BY  SOURCE  CHANGE  NOTE
    <last>  …
    <serial>  − @ MX 10 mail.example.org.  …  graphql  ${removal}  clean up
    ${since}  …  ${addition}…
    …
    $ history ${zone} @ MX => …administrator…administrator…3600  10 mail.example.org.
    $ blame ${zone} --at ${since} => @  3600  MX  10 mail.example.org.  …  ${addition}  -  -
    $ export ${zone} --at ${addition} => …MX\t10 mail.example.org.
    $ diff ${zone} ${since}
    --- …
    +++ …
    @@ @ MX @@ administrator …: clean up
    -@ 3600 IN MX 10 mail.example.org.
    @@ later TXT @@ …
    +later 3600 IN TXT "x"
    $ revert --change ${removal} --dry-run
    @@ @ MX @@
    +@ 3600 IN MX 10 mail.example.org.
    ${zone} would be changed as shown; nothing was changed.
    $ revert --change ${removal}
    @@ @ MX @@
    +@ 3600 IN MX 10 mail.example.org.
    2> zonesmith: This changes ${zone} as shown. Write --yes if it is meant.
    [1]
    $ revert --change ${removal} --yes
    @@ @ MX @@
    +@ 3600 IN MX 10 mail.example.org.
    ${zone} is at serial <now> by change <undone>.
    $ revert --change ${removal} --yes
    ${zone} is so already; nothing was changed.
    [4]
    $ revert ${zone} <serial> --yes
    @@ @ MX @@
    -@ 3600 IN MX 10 mail.example.org.
    @@ later TXT @@
    -later 3600 IN TXT "x"
    ${zone} is at serial …
    $ revert ${neighbour} --change ${removal}
    2> zonesmith: Change ${removal} is of ${zone}, not of ${neighbour}; leave out the zone, or write ${zone}.
    [1]
    $ revert --change ${removal} ${zone} 2h => [2] write a zone and
    $ revert ${zone} <serial> --draft --yes => [2] --draft go with --by or --changeset
  `);
  const again = await change({ add: [{ owner: "again", type: "TXT", rdata: "x" }] });
  const other = await change({ remove: [again.records[0].id], add: [{ owner: "again", type: "TXT", rdata: "y" }] });
  await cli.shows(`
    $ revert --change ${again.change.id} --yes => [3] again TXT was changed again by administrator
  `);
  await change({ remove: [other.records[0].id] });
});

test("a zone is shown as it is and as it was", async () => {
  const added = await change({ add: [{ owner: "shown", ttl: 300, type: "A", rdata: "192.0.2.1" }] });
  await change({ remove: [added.records[0].id] });
  const [{ id }, { serial, id: changeId }] = [added.records[0], added.change];
  await cli.shows(`
    $ show ${zone} --type NS
    ID  OWNER  TTL  TYPE  RDATA
    <ns>  @  3600  NS  …
    <other>  @  3600  NS  …
    $ show ${zone} --owner shown
    ID  OWNER  TTL  TYPE  RDATA
    $ show ${zone} --at ${serial} => ${id}  shown  300  A  192.0.2.1
    $ show ${zone} --at ${changeId} --owner shown --type a
    ID  OWNER  TTL  TYPE  RDATA
    ${id}  shown  300  A  192.0.2.1
    $ show ${zone} --at 2h => [1] …did not exist at …its journal begins
    $ show ${zone} --at tomorrow => [1] …is no moment; write a serial
    $ history ${zone} --type a => …  ${changeId}…
    $ history ${zone} --type LOC
    ZONE  SERIAL  …
    $ diff ${zone} 2h …
    --- ${zone}\tbefore it was created
    +@ 3600 IN NS …
    2> warning: ${zone} was created later; all of its records were added since.
  `);
});

test("an export whose reader has enough ends without a word", async () => {
  const child = spawn("zonesmith", ["export", zone], { env: inShell(service) });
  const ended = once(child, "close");
  child.stdout.destroy();
  expect([await text(child.stderr), await ended]).toEqual(["", [0, null]]);
});

test("a deleted domain is listed, and brought back", async () => {
  const before = await cli.printed(`blame ${zone}`);
  await cli.shows(`
    $ domain remove ${zone} --yes => ${zone} is deleted.
    $ history ${zone} …
    …  deleted with 4 records  …
    <serial>  …
    2> warning: ${zone} was deleted at …
    $ show ${zone} --at <serial> …
    <ns>  @  3600  NS  …
    2> warning: ${zone} was deleted at …
    $ diff ${zone} <serial> …
    2> warning: ${zone} was deleted at …
    $ show ${zone} => [1] There is no zone ${zone}; check the name.
    $ show ${zone} => [1] If it was deleted: zonesmith deleted lists it, and zonesmith restore
    $ history none.example => [1] There is no zone none.example; check the name
    $ deleted --zone ${zone}
    ZONE  …
    ${zone}  …  cli@example.com  <id>
    $ restore ${zone} --dry-run => ${zone} would come back with 4 records.
    $ restore ${zone} => [1] Write --yes if it is meant.
    $ restore 1000000000000001 => [1] If 1000000000000001 is the id of a domain, write --id.
  `);
  const [, blamed, warning] = await cli.run(`blame ${zone}`);
  expect([blamed, warning]).toEqual([before, expect.stringMatching(/^warning: \S+ was deleted at \d{4}-/)]);
  await cli.shows(`
    $ restore ${zone} --yes --note back => ${zone} is back with 4 records, at serial <serial>.
    $ deleted --zone cli.
    ZONE  …
    $ history ${zone} => …  restored with 4 records  …  back
  `);
  const records = JSON.parse(await cli.printed(`blame ${zone} --json`));
  const { blame, restoredBy } = records.find(({ type }: { type: string }) => type === "NS");
  expect(blame.id).not.toBe(restoredBy.id);
});

test("the former life of a name that is in use again is found by the id of the deleted domain", async () => {
  const name = "again.example";
  const id = await service.domain(name, userId);
  const serial = await service.serial(name);
  await cli.printed(`domain remove ${name} --yes`);
  await service.domain(name, userId);
  await cli.shows(`
    $ history ${id} --id …
    …  deleted with 4 records  …
    ${serial}  …
    2> warning: ${name} was deleted at …
    $ history ${id} @ NS --id …
    …ns1…
    2> warning: ${name} was deleted at …
    $ show ${id} --id --at ${serial} …
    …  @  3600  NS  …
    2> warning: ${name} was deleted at …
    $ blame ${id} --id …
    …  NS  …
    2> warning: ${name} was deleted at …
    $ history ${name} => …created with 4 records…
  `);
});

test("who made a change is a user and a key, by which the changes are found", async () => {
  const key = await service.key({ name: "laptop", userId });
  await change({ add: [{ owner: "mine", type: "TXT", rdata: "x" }] }, key);
  const [, newest = ""] = (await cli.printed(`history ${zone}`)).split("\n");
  const [, who = ""] = /(cli@example\.com · laptop \([\da-f]{8}\)) +graphql/.exec(newest) ?? [];
  const [, found, ...others] = (await cli.printed(`history ${zone} --by "${who}"`)).trimEnd().split("\n");
  // A list has the seconds of its times where two of them differ in nothing else.
  const shown = (line = "") => line.replace(/ +/g, " ").replace(/(\d\d:\d\d):\d\dZ/, "$1Z");
  expect([shown(found), others]).toEqual([shown(newest), []]);
});
