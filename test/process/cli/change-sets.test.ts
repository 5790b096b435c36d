/** The commands of change sets: what they print, what they ask, and what they leave behind. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const [zone, other] = ["sets.example.com", "sets.example.net"];
let userId: string;
beforeAll(async () => {
  userId = await service.user("sets@example.com");
  for (const name of [zone, other]) await service.domain(name, userId);
});

const change = async (add: object[], remove: string[] = []) =>
  (await service.mutate("changeRecords", { zone, add, remove }, "records { id }")).records;
/** The record of a zone that a test may change: the CNAME that it begins with. */
async function cnameOf(name: string): Promise<string> {
  const find = `{ records(filter: { zone: "${name}", types: ["CNAME"] }) { nodes { id } } }`;
  return (await service.data(find)).records.nodes[0].id;
}

test("a zone that is deleted is named, and asked about, when it is not among those that are shown", async () => {
  const names = Array.from({ length: 16 }, (_, at) => `${String.fromCharCode(97 + at)}.page.example`);
  for (const name of names) await service.domain(name, userId);
  const last = names.at(-1) as string;
  const add = [{ owner: "web", type: "A", rdata: "192.0.2.1" }];
  const zones = names.map((name) => (name === last ? { delete: { zone: name } } : { edit: { zone: name, add } }));
  const { changeSet } = await service.mutate("createChangeSet", { title: "t", zones }, "changeSet { id }");
  await cli.shows(`
    $ changeset preview ${changeSet.id} => ! ${last} is deleted with its 4 records.
    $ changeset apply ${changeSet.id} … => [1] This changes the zones as shown: it deletes 1 zone. Write --yes if it is meant.
    $ changeset schedule ${changeSet.id} 2h … => [1] it deletes 1 zone. Write --yes if it is meant.
  `);
});

test("a set is created, staged, looked at, reviewed by another key and applied", async () => {
  const { id } = await cli.shows(`
    $ changeset create "new web" --approvals 1 => id  <id>
    $ changeset stage <id> ${zone} --add "web 300 A 192.0.2.1" "web 300 A 192.0.2.2"
    $ changeset stage <id> ${other} --add "web A 192.0.2.1"
    $ changeset preview <id>
    +++ ${zone}
    @@ web A @@
    +web 300 IN A 192.0.2.1
    +web 300 IN A 192.0.2.2
    +++ ${other}
    @@ web A @@
    +web 3600 IN A 192.0.2.1
    2 of 2 zones change: 0 records go, 3 come.
    No zone is changed before it has 1 approval.
    $ changeset apply <id> --yes … => [1] needs an approval first: submit it for review
    $ changeset submit <id> --text "please look" => state  IN_REVIEW
    $ changeset approve <id> --yes … => [1] cannot review it
  `);
  const reviewer = { ZONESMITH_API_KEY: await service.key({ name: "reviewer", userId }) };
  expect((await cli.run(`changeset approve ${id}`, reviewer))[2]).toContain("Write --yes if it is meant.");
  const approved = await cli.printed(`changeset approve ${id} --yes`, reviewer);
  expect(approved).toContain("is APPROVED with 1 of 1 approvals.");
  await cli.shows(`
    $ changeset apply ${id} --dry-run => Nothing was changed.
    $ changeset apply ${id} --yes => …${id} is APPLIED.
    $ changeset show ${id} => zones  ${zone} edit applied
    $ changeset preview ${id} …
    +++ ${zone}
    @@ web A @@
    +web 300 IN A 192.0.2.1
    2 of 2 zones were changed: 0 records went, 3 came.
    The change set is APPLIED.
    $ changeset list --state applied --zone ${other} => ${id}  new web  APPLIED…
  `);
});

test("what is staged for a zone is replaced when that is meant, and taken out; a set gets other words, is withdrawn, scheduled, cancelled", async () => {
  await cli.shows(`
    $ changeset create firts --approvals 1 => id  <id>
    $ changeset preview <id> => Nothing is staged.
    $ changeset stage <id> ${zone} --add "one A 192.0.2.1" "two A 192.0.2.1"
    $ changeset stage <id> ${zone} --add "three A 192.0.2.1" => [1] ${zone} already has a staged part (2 edits)… append … replace
    $ changeset stage <id> ${zone} --replace --add "three A 192.0.2.1" …
    2> warning: The staged part of ${zone} (2 edits) is replaced.
    $ changeset stage <id> ${other} --add "four A 192.0.2.1" => zones  2
    $ changeset unstage <id> ${other} => zones  1
    $ changeset unstage <id> ${other} => [1] ${other}
    $ changeset change <id> => [2]
    $ changeset edit <id> --title first --description "a word" --each-zone …
    title  first
    description  a word
    state  DRAFT
    mode  EACH_ZONE
    $ changeset change <id> --each-zone --all-zones => [1] one of them
    $ changeset submit <id>
    $ changeset withdraw <id> --text "not yet" => state  DRAFT
    $ changeset preview <id> => 1 of 1 zones change: 0 records go, 1 come.
    $ changeset comment <id> "not so" => …: not so
    $ changeset cancel <id> => state  CANCELLED
    $ changeset create later => id  <later>
    $ changeset stage <later> ${zone} --add "later A 192.0.2.1"
    $ changeset schedule <later> tomorrow --yes => [1] in how long: 2h
    $ changeset schedule <later> 2h … => [1] Write --yes if it is meant.
    $ changeset schedule <later> 2h --skip-missed --yes …
    +later …
    …is SCHEDULED for …
    $ changeset show <later> …
    due at  …Z
    applied at  -
    $ changeset unschedule <later> --text "not yet" => state  DRAFT
  `);
});

test("edits that others are in conflict with are kept or left out", async () => {
  const [record] = await change([{ owner: "both", type: "A", rdata: "192.0.2.1", ttl: 300 }]);
  const { id } = await cli.shows(`
    $ changeset create "in conflict" => id  <id>
    $ changeset stage <id> ${zone} --remove ${record.id}
    $ changeset resolve <id> ${zone} --mine => [1] no such conflict
  `);
  await change([{ owner: "both", type: "A", rdata: "192.0.2.2", ttl: 300 }]);
  await service.mutate("updateRecord", { recordId: record.id, rdata: "192.0.2.3" }, "record { id }");
  await cli.shows(`
    $ changeset preview ${id} …
    ! both A was changed after it was staged; keep the edits of the set, or keep the records as they are now.
    !   when staged: both 300 IN A 192.0.2.1
    !   this set:    nothing
    !   now:         both 300 IN A 192.0.2.3, by …, serial …
    "changeset resolve ${id} ${zone} --mine" keeps…
    [3]
    $ changeset submit ${id} … => [3] write changeset preview, which shows the conflicts and how to resolve them
    $ changeset apply ${id} --yes … => [3] both A was changed after it was staged
    $ changeset resolve ${id} ${zone} --owner both => [1] --mine or --theirs
    $ changeset resolve ${id} ${zone} --mine --owner both --type a
    id  ${id}
    title  in conflict
    state  DRAFT
    revision  3
    zones  1
    done  …Z staged by …: ${zone}: kept the edits in conflict
    $ changeset apply ${id} --yes => -both 300 IN A 192.0.2.3
    $ changeset list --awaiting-me
    ID  …
  `);
});

test("what is in the way is shown, and ends a command otherwise than what others changed meanwhile", async () => {
  const cname = await cnameOf(zone);
  const { id } = await cli.shows(`
    $ changeset create "in the way" => id  <id>
    $ changeset stage <id> ${zone} --add "www A 192.0.2.1"
    $ changeset preview <id> …
    ! RECORD_CONFLICT: …
    0 of 1 zones change…
    It cannot be applied…
    [1]
    $ changeset apply <id> --yes … => [1]
    $ changeset stage <id> ${zone} --replace --remove ${cname} …
    2> warning: …
  `);
  await service.mutate("updateRecord", { recordId: cname, ttl: 60 }, "record { id }");
  for (const how of ["--yes", "--dry-run"]) expect((await cli.run(`changeset apply ${id} ${how}`))[0]).toBe(3);
});

test("of a set over many zones the first are shown, what is in the way in others, and on demand all", async () => {
  const names = Array.from({ length: 18 }, (_, at) => `z${String(at).padStart(2, "0")}.many.example`);
  for (const name of names) await service.domain(name, userId);
  const add = [{ owner: "made", type: "A", rdata: "192.0.2.1" }];
  const last = names.at(-1) as string;
  const cname = await cnameOf(last);
  const zones = names.map((name) => ({ edit: { zone: name, ...(name === last ? { remove: [cname] } : { add }) } }));
  const { id } = (await service.mutate("createChangeSet", { title: "many", zones }, "changeSet { id }")).changeSet;
  const [fine, first] = await cli.run(`changeset preview ${id}`);
  expect([fine, first]).toEqual([0, expect.stringContaining(`... and 3 more zones; "changeset preview ${id} --all"`)]);
  await service.mutate("updateRecord", { recordId: cname, ttl: 60 }, "record { id }");
  // Also where the other zones are changed all the same.
  await cli.printed(`changeset change ${id} --each-zone`);
  const [code, page] = await cli.run(`changeset preview ${id}`);
  expect([code, page]).toEqual([3, expect.stringContaining(`+++ ${last}\n! www CNAME was changed`)]);
  expect(page).toContain("... and 2 more zones; ");
  expect(page).not.toContain(names[16]);
  const [all, whole] = await cli.run(`changeset preview ${id} --all`);
  expect([all, whole.match(/^\+\+\+ .*$/gm)]).toEqual([3, names.map((name) => `+++ ${name}`)]);
  expect(whole).not.toContain("more zones");
});

test("a zone's return to a moment and a master file are staged as what they change; zones are created and restored", async () => {
  const [created, deleted] = ["created.example.com", "deleted.example.com"];
  await service.domain(deleted, userId);
  const { deletedId } = await service.mutate("deleteDomain", { by: { zone: deleted } }, "deletedId");
  const serial = await service.serial(zone);
  await service.record(zone, "mistake", "A", "192.0.2.66");
  const file = join(temporaryFolder(), "file.zone");
  writeFileSync(file, "$TTL 300\nfiled A 192.0.2.7\n");
  await cli.shows(`
    $ changeset create "back and file" => id  <id>
    $ changeset stage <id> ${zone} --revert-to ${serial}
    $ changeset stage <id> ${other} --import ${file}
    $ changeset preview <id> …
    -mistake 3600 IN A 192.0.2.66
    +filed 300 IN A 192.0.2.7
    2 of 2 zones change: 1 records go, 1 come.
    $ changeset stage <id> ${other} --import ${file} --import-replace ${file} => [1] one of them
    $ changeset create "two parts" => id  <parts>
    $ changeset stage <parts> ${created} --create --user sets@example.com --add "www A 192.0.2.1"
    $ changeset stage <parts> ${deleted} --restore --id ${deletedId}
    $ changeset preview <parts> …
    +++ ${created} (created)
    +++ ${deleted} (restored)
    $ changeset apply <parts> --yes => …is APPLIED…
    $ domain show ${created}
    $ domain show ${deleted} => id  ${deletedId}
  `);
});

test("a template's dry run shows what would change, and leaves no change set behind", async () => {
  const records = [{ owner: "made", type: "A", rdata: "192.0.2.77" }];
  await service.mutate("createTemplate", { name: "dry", records }, "template { id }");
  const count = async () => (await service.data("{ changeSets { totalCount } }")).changeSets.totalCount;
  const before = await count();
  await cli.shows(`
    $ template apply dry --zones ${zone} --dry-run …
    +made 3600 IN A 192.0.2.77
    Nothing was changed.
  `);
  expect(await count()).toBe(before);
});
