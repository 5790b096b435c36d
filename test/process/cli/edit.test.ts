/** `edit`, and what it shares with `revert --by`: what they print, what they ask, and what they leave behind. */
import { beforeAll, expect, test } from "@jest/globals";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const [zone, other] = ["edit.example.com", "edit.example.net"];
beforeAll(async () => {
  const userId = await service.user("edit@example.com");
  for (const name of [zone, other]) {
    await service.domain(name, userId);
    await service.record(name, "@", "MX", "10 old.example.org.");
  }
});

const states = async () =>
  (await service.data("{ changeSets { nodes { state } } }")).changeSets.nodes.map(
    ({ state }: { state: string }) => state,
  );

test("an edit is shown, asked for, applied in all zones, and leaves no draft where it is not meant", async () => {
  const edit = "edit --type MX --name old.example.org --to new.example.org";
  await cli.shows(`
    $ ${edit} --dry-run
    2 records match, 2 change in 2 zones; others may know the old ones for 3600 s.
    +++ ${zone}
    @@ @ MX @@
    -@ 3600 IN MX 10 old.example.org.
    +@ 3600 IN MX 10 new.example.org.
    +++ ${other}
    @@ @ MX @@
    -@ 3600 IN MX 10 old.example.org.
    +@ 3600 IN MX 10 new.example.org.
    2 of 2 zones change: 2 records go, 2 come.
    Nothing was changed.
  `);
  expect(await states()).toEqual([]);
  await cli.shows(`$ ${edit} … => [1] Write --yes if it is meant.`);
  expect(await states()).toEqual(["CANCELLED"]);
  await cli.shows(`$ ${edit} --draft => Change set <id> is a draft; "changeset apply <id>" applies it.`);
  expect(await states()).toEqual(["DRAFT", "CANCELLED"]);
  await cli.shows(`
    $ ${edit} --yes => …is APPLIED.
    $ show ${other} --type MX => …  @  3600  MX  10 new.example.org.
    $ ${edit} --yes …
    Nothing was changed.
    [4]
    $ edit --type MX => [2]
    $ edit --type MX --ttl 60 --remove => [2] write one of --to, --ttl, --remove and --example-names, not several
    $ history --since 1h --type MX => ${zone}  … @ MX …10 old.example.org. → …10 new.example.org.…
    $ history --type MX => [1] zonesmith: --since is missing; --type goes with it.
  `);
});

test("an edit that a zone demands approvals of is kept as a draft, and says what comes next", async () => {
  const demand = (review: string) => service.mutate("updateDomain", { by: { zone: other }, review }, "domain { id }");
  await demand("ONE");
  const before = (await states()).length;
  const next = (id: string) =>
    `"changeset submit ${id}" submits it to review, another person approves it by "changeset approve ${id}", ` +
    `and then "changeset apply ${id}" applies it.`;
  const others = `Or "changeset unstage <id> ZONE" takes such zones out, and the others are applied without.`;
  const kept = "It would be kept as a draft for that; --zones selects without some.";
  await cli.shows(`
    $ edit --type MX --ttl 600 --yes … => [1] as demanded by ${other}. It is kept as a draft: ${next("<id>")} ${others}
    $ edit --type MX --ttl 600 --draft => …${next("<draft>")}
    $ edit --type MX --ttl 600 --dry-run …
    No zone is changed before it has 1 approval, as demanded by ${other}. ${kept}
    Nothing was changed.
  `);
  expect(JSON.parse((await cli.run("edit --type MX --ttl 600 --yes --json"))[1]).error).toBe("REVIEW_REQUIRED");
  expect((await states()).slice(0, -before)).toEqual(["DRAFT", "DRAFT", "DRAFT"]);
  await demand("NONE");
});

test("the exit code tells what others stand in the way of from what there is nothing left to undo of", async () => {
  const key = await service.key({ name: "exit-bot" });
  const add = (rdata: string, by?: string) =>
    service.mutate("changeRecords", { zone, add: [{ owner: "x", type: "A", rdata }] }, "change { id }", by);
  await add("192.0.2.1", key);
  await add("192.0.2.2");
  await cli.shows(`
    $ revert --by exit-bot --since 1h --yes => [3] zonesmith: --skip-conflicts leaves
    $ revert --by exit-bot --since 1h --yes --skip-conflicts …
    …left out: …
    [3]
    $ revert --by nobody --since 1h --yes
    0 changes are selected.
    Nothing was changed.
    [4]
  `);
});

test("a set that changes each zone for itself is applied zone by zone, and what is refused of it is staged anew", async () => {
  await cli.shows(`
    $ changeset create each --each-zone => id  <id>
    $ changeset stage <id> ${other} --add "@ CNAME other.example."
    $ changeset stage <id> ${zone} --add "each A 192.0.2.1"
    $ changeset apply <id> --yes …
    …<id> is PARTIAL: 1 of 2 zones were refused…
    [1]
    $ changeset show <id> => …1 of 2, 1 refused…
    $ changeset show <id> => …${other} edit refused: …
    $ changeset restage <id> …
    id  <anew>
    zones  1
    $ changeset show <anew> => …${other} edit
  `);
});
