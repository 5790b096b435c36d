/** The commands on accounts, zones and records: what they print and leave behind, what is wrong usage, and what they ask before. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const file = (name: string, text: string) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
};

test("without words it prints its help, and starts and creates nothing", async () => {
  const folder = join(temporaryFolder(), "none");
  const command = zonesmith([], { DATA_DIR: folder });
  expect(await command.ended()).toBe(0);
  expect(command.output().stdout).toMatch(/^Usage: zonesmith[\s\S]*secondary[\s\S]*ZONESMITH_URL[\s\S]*service\.json/);
  expect(existsSync(folder)).toBe(false);
});

test("users, domains, records and keys are listed, shown, added, changed and removed", async () => {
  const { key } = await cli.shows(`
    $ user add one@example.com …
    email  one@example.com
    id  <one>
    $ user add two@example.com
    $ user change two@example.com three@example.com
    $ user review three@example.com --policy one --reviewers one@example.com
    email  three@example.com
    review  ONE
    reviewers  one@example.com
    $ user review three@example.com --policy none --no-reviewers => reviewers  -
    $ user limit one@example.com --domains 5 --changes none …
    domains  0 of 5, set for the user
    records  0, no limit
    records of a domain  no limit
    changes today  0, no limit, set for the user
    $ user limit one@example.com --domains default => domains  0, no limit
    $ user limit one@example.com --records many => [1] --records is many; write a number, none, or default.
    $ user list …
    EMAIL  …
    three@example.com  …
    $ domain add one.example.com --user one@example.com => zone  one.example.com
    $ domain review one.example.com change-set => required approvals  0
    $ domain review one.example.com owner …
    own review  -
    required approvals  -
    $ record add one.example.com @ MX 10 mail --ttl 300 => id  <mx>
    $ record list one.example.com --type mx
    ID  OWNER  TTL  TYPE  RDATA
    <mx>  @  300  MX  10 mail.one.example.com.
    $ record change <mx> --ttl 600 => ttl  600
    $ record show <mx> => zone  one.example.com
    $ record remove <mx> => Record <mx> is deleted.
    $ domain change one.example.com --user three@example.com => user  three@example.com
    $ domain list --user three@example.com --state unserved
    ZONE  …
    one.example.com  …
    $ key add laptop --user three@example.com
    <key>
  `);
  const laptops = { ZONESMITH_API_KEY: `${key}` };
  expect(await cli.printed("domain add two.one.example.com", laptops)).toContain("three@example.com");
  const laptop = await eventually(async () => {
    const [, listed] = JSON.parse(await cli.printed("key list --json"));
    const user = { email: "three@example.com" };
    expect(listed).toMatchObject({ name: "laptop", user, lastUsedAt: expect.any(String) });
    return listed;
  });
  await cli.shows(`
    $ key list => laptop  ${laptop.fingerprint.slice(0, 8)}  …
    $ key revoke ${laptop.id}
  `);
  expect((await cli.run("user list", laptops))[2]).toMatch(/^zonesmith: The API key was revoked/);
  await cli.shows(`
    $ domain remove two.one.example.com --yes => two.one.example.com is deleted.
    $ user remove three@example.com
    2> zonesmith: … owns 1 domain; …
    2> zonesmith: On the command line, write --delete-domains or --domains-to <user>.
    [1]
    $ user remove three@example.com --domains-to one@example.com => three@example.com is deleted…
    $ domain show one.example.com …
    user  one@example.com
    own review  -
    required approvals  -
  `);
});

test("records are removed as a person names them, in one change; several want an answer, and what is not there is named", async () => {
  await service.domain("named.example", await service.user("named@example.com"));
  for (const last of [1, 2, 3]) await service.record("named.example", "app", "A", `192.0.2.${last}`);
  await service.record("named.example", "@", "MX", "10 mail");
  const { id } = await cli.shows(`
    $ record add named.example old TXT x => id  <id>
    $ record remove named.example app A 192.0.2.1 => app A 192.0.2.1 is deleted.
    $ record delete named.example @ mx 010 mail => @ MX 10 mail.named.example. is deleted.
    $ record remove named.example APP.named.example. A 192.0.2.1 => [1] no record APP.named.example. A 192.0.2.1 in named.example; its data: 192.0.2.2, 192.0.2.3.
    $ record remove named.example app A nonsense => [1] nonsense
    $ record remove named.example old TXT "" => [2] the data are empty
    $ record remove named.example app AAAA => [1] There is no record app AAAA in named.example.
    $ record remove named.example app A => [1] This deletes these 2 records of named.example. Write --yes if it is meant.
    $ record remove named.example app A --yes --note "the host is gone"
    app A 192.0.2.2 is deleted.
    app A 192.0.2.3 is deleted.
    $ record delete <id> => Record <id> is deleted.
    $ record remove <id> => [1] There is no record <id>
    $ history named.example …
    …  app A −2  …  the host is gone
    $ domain delete named.example --yes => named.example is deleted.
  `);
  expect(id).toBeDefined();
  const help = await Promise.all(
    ["user", "domain", "record", "secondary", "template", "webhook"].map((group) =>
      cli.printed(`${group} delete --help`),
    ),
  );
  expect(help.filter((text) => !/^Usage: zonesmith \w+ remove\|delete /.test(text))).toEqual([]);
});

test("templates are created, shown, changed and removed, and a domain is made of one", async () => {
  const help = await cli.printed("template add --help");
  const variables = [{ name: "address", kind: "IPV4" }];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of a template
  const records = [{ owner: "www", type: "A", rdata: "${address}" }];
  const [example, made, changed] = [
    file("example.json", help.slice(help.indexOf("{"), help.lastIndexOf("}") + 1)),
    file("made.json", JSON.stringify({ name: "web", variables, records })),
    file("changed.json", JSON.stringify({ description: "changed" })),
  ];
  await cli.shows(`
    $ template add ${example} => name  web
    $ template remove web => web is deleted.
    $ template add ${made} …
    variables  address (IPV4)
    records  www A \${address}
    $ user add made@example.com
    $ domain add made.example --user made@example.com --template web --set address=192.0.2.9
    $ record list made.example --type A => …  www  3600  A  192.0.2.9
    $ template change web ${changed} …
    revision  2
    description  changed
    $ template list
    NAME  USER  REVISION  DESCRIPTION
    web  -  2  changed
    $ domain add other.example --user made@example.com --template web --set x => [1] …write x=value
    $ template remove web => web is deleted.
    $ template show web => [1] There is no template web
  `);
});

test("labels and notes are set, shown, listed by, and removed; each change takes a note, and the audit lists who did what", async () => {
  const master = file("noted.example.zone", "b 300 IN A 192.0.2.1\n");
  await cli.shows(`
    $ user add noted@example.com
    $ domain add noted.example --user noted@example.com --note "wegen Zürich"
    $ label noted.example env=test team=dns draft
    zone  noted.example
    labels  draft
            env=test
            team=dns
    $ label noted.example team- env=prod
    zone  noted.example
    labels  draft
            env=prod
    $ domain list --label env=prod
    ZONE  …
    noted.example  …
    $ domain show noted.example => labels  draft
    $ note noted.example @ NS "one\\ntwo" => @ NS has the note.
    $ note noted.example www CNAME ask Jane => www CNAME has the note.
    $ note noted.example
    OWNER  TYPE  BY  WHEN  NOTE
    @  NS  administrator …  one / two
    www  CNAME  administrator …  ask Jane
    $ note noted.example later A x
    later A has the note.
    2> warning: There is no A…
    $ note noted.example www CNAME --remove => www CNAME has no note.
    $ note noted.example
    OWNER  TYPE  BY  WHEN  NOTE
    @  NS  administrator …  one / two
    later  A  administrator …  x
    $ note noted.example www A => [2] an owner, a type and a text, or --remove
    $ record add noted.example a TXT x --note "wegen Zürich" => id  <id>
    $ record change <id> --ttl 600 --note "wegen Zürich"
    $ record remove <id> --note "wegen Zürich"
    $ import ${master} --note "wegen Zürich"
    $ history noted.example
    SERIAL  …
    …  wegen Zürich
    …  wegen Zürich
    …  wegen Zürich
    …  wegen Zürich
    …  wegen Zürich
    $ record change <id> --note x => [2] error: nothing to change is given
    $ domain remove noted.example --yes --note "wegen Zürich" => noted.example is deleted.
    $ audit --zone noted.example --operation createDomain
    WHEN  BY  OPERATION  ZONE  REFUSED  …
    …  administrator (…)  createDomain  noted.example  -  -  127.0.0.1  graphql…
    $ audit --refused --zone noted.example --since 1h
    WHEN  …
  `);
});

test("a refusal is one line for each reason, or the service's JSON; a failure of the command itself is JSON too", async () => {
  const line = "domain show nothing.example.com";
  const lines = /^zonesmith: There is no zone .*\nzonesmith: If it was deleted: zonesmith deleted .*\n$/;
  expect(await cli.run(line)).toEqual([1, "", expect.stringMatching(lines)]);
  const json = async (more = {}) => {
    const [code, stdout, stderr] = await cli.run(`${line} --json`, more);
    expect([code, stderr]).toEqual([1, ""]);
    return JSON.parse(stdout);
  };
  expect(await json()).toMatchObject({ code: 404, status: "error", error: "NOT_FOUND" });
  const message = expect.stringMatching(/ZONESMITH_API_KEY/);
  expect(await json({ ZONESMITH_API_KEY: "" })).toMatchObject({ status: "error", error: "FAILED", message });
});

test.each<[string, RegExp]>([
  ["record remove", /missing required argument 'id-or-zone'\n\("zonesmith record remove --help"/],
  ['record remove gone.example @ NS ""', /the data are empty; leave them out if all records of the type are meant/],
  ['record remove gone.example @ NS "" " "', /the data are empty/],
  ["record remove gone.example www", /write the id of a record, or its zone, owner and type, and its data/],
  [
    "record add example.com txt TXT v=spf1 mx -all",
    /unknown option '-all'\nPut record data in quotes.*\n\("zonesmith record add/,
  ],
  ["record change 1000000000000001", /nothing to change is given; write --owner, --type, --rdata, --ttl, --force, or/],
  ["domain nothing", /unknown command 'nothing'\n\("zonesmith domain --help" shows the commands/],
])("%s is wrong usage, which names the command's own help, as JSON too", async (line, message) => {
  expect(await cli.run(line)).toEqual([2, "", expect.stringMatching(message)]);
  const [code, stdout, stderr] = await cli.run(`${line} --json`);
  const { message: inOneLine, ...body } = JSON.parse(stdout);
  expect([code, stderr, body]).toEqual([2, "", { status: "error", error: "USAGE" }]);
  expect(inOneLine).toMatch(new RegExp(message.source.replaceAll("\\n", " ")));
});

test("what cannot be undone is asked on a terminal, and wants --yes elsewhere; the serial of an SOA leaps with --force alone", async () => {
  await service.domain("gone.example", await service.user("gone@example.com"));
  const [soa] = JSON.parse(await cli.printed("record list gone.example --type SOA --json"));
  const leap = soa.rdata.replace(/ 20\d{8} /, " 2999999999 ");
  const { key } = await cli.shows(`
    $ record change ${soa.id} --rdata "${leap}" => [1] …On the command line, write --force.
    $ record change ${soa.id} --rdata "${leap}" --force
    $ domain remove gone.example => [1] This deletes gone.example with its 4 records. Write --yes if it is meant.
    $ user remove gone@example.com --delete-domains => [1] …gone@example.com with 1 domain
    $ user remove gone@example.com --delete-domains --yes
    $ key add own
    <key>
  `);
  const keys: { id: string; name: string }[] = JSON.parse(await cli.printed("key list --json"));
  const id = keys.find(({ name }) => name === "own")?.id;
  const own = (line: string) => cli.run(line, { ZONESMITH_API_KEY: `${key}` });
  expect((await own(`key revoke ${id}`))[2]).toContain("revokes the key that this command uses");
  expect((await own(`key revoke ${id} --yes`))[0]).toBe(0);
});

test("a list is read to its end", async () => {
  const userId = await service.user("many@example.com");
  await service.sql(
    `insert into domain (zone, user_id, serial) select 'd' || n || '.many.example', ${userId}, 1 from generate_series(1, 450) n`,
  );
  expect(JSON.parse(await cli.printed("domain list --user many@example.com --json"))).toHaveLength(450);
  await service.sql(`delete from domain where user_id = ${userId}`);
});

test("status shows what the service really is, and warns of settings that cannot stay; JSON has what the screen has", async () => {
  const [code, stdout, stderr] = await cli.run("status");
  const line = new RegExp(`^DNS +127\\.0\\.0\\.1 port ${service.dnsPort}$`, "m");
  expect([code, stdout]).toEqual([0, expect.stringMatching(line)]);
  expect(stderr).toMatch(/^warning: New zones are lame: .*NAME_SERVERS="/);
  const instances = [expect.objectContaining({ pid: process.pid, isAlive: true })];
  expect(JSON.parse(await cli.printed("status --json"))).toMatchObject({
    url: service.url,
    instances,
    secondaries: [],
  });
});

test("status --watch is refused away from a terminal", async () => {
  expect((await cli.run("status --watch"))[2]).toMatch(/^zonesmith: --watch draws on a terminal/);
});

testWith("script")(
  "status --watch draws again and again without clearing, and leaves the terminal as it was at Ctrl+C",
  async () => {
    const program = resolve(import.meta.dirname, "../../../dist/src/cli/zonesmith.js");
    const line = `stty rows 24 cols 80; exec '${process.execPath}' '${program}' status --watch 1`;
    const given = { PATH: process.env.PATH, TERM: "xterm", ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
    const child = spawn("script", ["-qfec", line, "/dev/null"], { env: given, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    const ended = once(child, "close");
    const pictures = () => output.split("\x1b[H").slice(1);
    await eventually(() => expect(pictures().length).toBeGreaterThan(2));
    child.stdin.write("\x03");
    expect(await ended).toEqual([0, null]);
    expect(output.startsWith("\x1b[?1049h\x1b[?25l\x1b[H")).toBe(true);
    expect(output.replace("^C", "").endsWith("\x1b[?25h\x1b[?1049l")).toBe(true);
    expect(output).not.toContain("\x1b[2J");
    expect(pictures()[1]).toContain("Zonesmith");
    for (const picture of pictures().slice(0, -1)) expect(picture.split("\r\n").length).toBeLessThanOrEqual(24);
  },
);
