/**
 * The command line as a whole: what it prints and leaves behind, and that it is a client which imports nothing of the service.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { type GraphQLEnumType, parse, validate } from "graphql";
import { accountRows, owningDocument, ownKeyDocument } from "../../../src/cli/account-rows.ts";
import { auditRow } from "../../../src/cli/audit-row.ts";
import { readEndpoint } from "../../../src/cli/endpoint.ts";
import { tsigKeysDocument } from "../../../src/cli/identify.ts";
import { reviewRows } from "../../../src/cli/review-rows.ts";
import { addDocument, configDocument, placeDocument } from "../../../src/cli/secondaries.ts";
import { serverRows } from "../../../src/cli/server-rows.ts";
import { operatorDocument, serviceDocument } from "../../../src/cli/service-state.ts";
import { templateDocument, templateRows } from "../../../src/cli/template-rows.ts";
import { clientName, clients, createDocument, dnsDocument, scopesDocument } from "../../../src/cli/tsig.ts";
import { countDocument, zoneRows } from "../../../src/cli/zone-rows.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { runToEnd, zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();

/** Runs a command line against the service; returns its exit code and what it printed. */
const run = (line: string, key = adminKey) =>
  runToEnd(line.split(" "), { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: key });

/** What a command prints; throws when it fails. */
async function printed(line: string, key = adminKey): Promise<string> {
  const [code, stdout, stderr] = await run(line, key);
  if (code !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout;
}

test("every operation of the commands is one of the schema", async () => {
  const schema = await createSchema();
  const rows = [...accountRows, ...zoneRows, ...reviewRows, ...templateRows, ...serverRows, auditRow].map(
    ({ words, document }) => [words, document] as const,
  );
  const others = [
    addDocument,
    configDocument,
    placeDocument,
    createDocument,
    dnsDocument,
    scopesDocument,
    tsigKeysDocument,
    templateDocument,
  ];
  const questions = [countDocument, owningDocument, ownKeyDocument];
  const documents = [
    ...rows,
    ...[...others, ...questions, operatorDocument, serviceDocument].map((each) => [each, each] as const),
  ];
  const wrong = documents.flatMap(([words, document]) =>
    validate(schema, parse(document)).map(({ message }) => `${words}: ${message}`),
  );
  expect([rows.length > 20, wrong]).toEqual([true, []]);
});

test("the clients of tsig add are those of the schema", async () => {
  const type = (await createSchema()).getType("UpdateClient") as GraphQLEnumType;
  expect(
    type
      .getValues()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(clients.map(clientName).toSorted());
});

test("the commands import nothing of the service but serials, except for those that open the database", () => {
  const source = resolve(import.meta.dirname, "../../../src");
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(source, file), "utf8");
    for (const [, path = ""] of text.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)"/gm))
      visit(relative(source, resolve(source, dirname(file), path)));
  };
  visit("cli/zonesmith.ts");
  expect([...found].filter((file) => !file.startsWith("cli/")).toSorted()).toEqual([
    "dns/malformed.ts",
    "dns/serial.ts",
    "error-codes.ts",
    "listening-address.ts",
    "time.ts",
    "version.ts",
  ]);
  for (const file of ["cli/serve.ts", "cli/backup.ts"]) expect(found).not.toContain(file);
});

test("without words it prints its help, and starts and creates nothing", async () => {
  const folder = join(temporaryFolder(), "none");
  const command = zonesmith([], { DATA_DIR: folder });
  expect(await command.ended()).toBe(0);
  expect(command.output().stdout).toMatch(/^Usage: zonesmith[\s\S]*secondary[\s\S]*ZONESMITH_URL[\s\S]*service\.json/);
  expect(existsSync(folder)).toBe(false);
});

test("users, domains, records and keys are listed, shown, added, changed and removed", async () => {
  expect(await printed("user add one@example.com")).toMatch(/^email {4}one@example\.com\nid {7}\d{16}\n/);
  await printed("user add two@example.com");
  await printed("user change two@example.com three@example.com");
  const reviewed = await printed("user review three@example.com --policy one --reviewers one@example.com");
  expect(reviewed).toBe("email      three@example.com\nreview     ONE\nreviewers  one@example.com\n");
  expect(await printed("user review three@example.com --policy none --no-reviewers")).toMatch(/^reviewers +-$/m);
  expect(await printed("user limit one@example.com --domains 5 --changes none")).toMatch(
    /^domains +0 of 5, set for the user\nrecords +0, no limit\nrecords of a domain +no limit\nchanges today +0, no limit, set for the user$/m,
  );
  expect(await printed("user limit one@example.com --domains default")).toMatch(/^domains +0, no limit$/m);
  expect(await run("user limit one@example.com --records many", adminKey)).toEqual([
    1,
    "",
    "zonesmith: --records is many; write a number, none, or default.\n",
  ]);
  expect(await printed("user list")).toMatch(/^EMAIL .*\n(.*\n)*three@example\.com /m);
  expect(await printed("domain add one.example.com --user one@example.com")).toMatch(/^zone {4}one\.example\.com$/m);
  expect(await printed("domain review one.example.com change-set")).toMatch(/^review in force +CHANGE_SET$/m);
  expect(await printed("domain review one.example.com owner")).toMatch(/^own review +-\nreview in force +NONE$/m);
  const { id } = JSON.parse(await printed("record add one.example.com @ MX 10 mail --ttl 300 --json"));
  expect(await printed("record list one.example.com --type mx")).toBe(
    `ID                OWNER  TTL  TYPE  RDATA\n${id}  @      300  MX    10 mail.one.example.com.\n`,
  );
  expect(await printed(`record change ${id} --ttl 600`)).toMatch(/^ttl {4}600$/m);
  expect(await printed(`record show ${id}`)).toMatch(/^zone {3}one\.example\.com$/m);
  expect(await printed(`record remove ${id}`)).toBe(`Record ${id} is deleted.\n`);
  expect(await printed("domain change one.example.com --user three@example.com")).toContain("three@example.com");
  expect(await printed("domain list --user three@example.com --state unserved")).toContain("one.example.com");
  const key = (await printed("key add laptop --user three@example.com")).trim();
  expect(await printed("domain add two.one.example.com", key)).toContain("three@example.com");
  const laptop = await eventually(async () => {
    const [, listed] = JSON.parse(await printed("key list --json"));
    expect(listed).toMatchObject({
      name: "laptop",
      user: { email: "three@example.com" },
      lastUsedAt: expect.any(String),
    });
    return listed;
  });
  expect(await printed("key list")).toMatch(new RegExp(`^laptop +${laptop.fingerprint.slice(0, 8)}  `, "m"));
  await printed(`key revoke ${laptop.id}`);
  expect(await run("user list", key)).toEqual([1, "", expect.stringMatching(/^zonesmith: The API key was revoked/)]);
  expect(await printed("domain remove two.one.example.com --yes")).toBe("two.one.example.com is deleted.\n");
  expect(await run("user remove three@example.com")).toEqual([
    1,
    "",
    expect.stringMatching(/owns 1 domain; .*write --delete-domains or --domains-to/),
  ]);
  expect(await printed("user remove three@example.com --domains-to one@example.com")).toContain("is deleted");
  expect(await printed("domain show one.example.com")).toMatch(/^user +one@example\.com$/m);
  expect(await printed("domain show one.example.com")).toMatch(/^own review +-\nreview in force +NONE$/m);
});

test("templates are created, shown, changed and removed, and a domain is made of one", async () => {
  const file = join(temporaryFolder(), "template.json");
  const variables = [{ name: "address", kind: "IPV4" }];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of a template
  const records = [{ owner: "www", type: "A", rdata: "${address}" }];
  const help = await printed("template add --help");
  writeFileSync(file, help.slice(help.indexOf("{"), help.lastIndexOf("}") + 1));
  expect(await printed(`template add ${file} --json`).then(JSON.parse)).toMatchObject({ name: "web" });
  await printed("template remove web");
  writeFileSync(file, JSON.stringify({ name: "web", variables, records }));
  expect(await printed(`template add ${file}`)).toMatch(
    /^variables {4}address \(IPV4\)\nrecords {6}www A \$\{address\}$/m,
  );
  await printed("user add made@example.com");
  await printed("domain add made.example --user made@example.com --template web --set address=192.0.2.9");
  expect(await printed("record list made.example --type A")).toMatch(/www +3600 +A +192\.0\.2\.9$/m);
  writeFileSync(file, JSON.stringify({ description: "changed" }));
  expect(await printed(`template change web ${file}`)).toMatch(/^revision +2\ndescription +changed$/m);
  expect(await printed("template list")).toMatch(/^NAME +USER +REVISION +DESCRIPTION\nweb +- +2 +changed$/m);
  expect(await run("domain add other.example --user made@example.com --template web --set x")).toEqual([
    1,
    "",
    expect.stringMatching(/write x=value/),
  ]);
  expect(await printed("template remove web")).toBe("web is deleted.\n");
  expect((await run("template show web"))[2]).toMatch(/There is no template web/);
});

test("what changes a zone takes a note", async () => {
  const note = ["--note", "wegen Zürich"];
  const environment = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const noted = async (words: readonly string[]) => {
    const command = zonesmith([...words, ...note], environment);
    expect([words, await command.ended()]).toEqual([words, 0]);
    return command.output().stdout;
  };
  await printed("user add noted@example.com");
  await noted(["domain", "add", "noted.example", "--user", "noted@example.com"]);
  const { id } = JSON.parse(await noted(["record", "add", "noted.example", "a", "TXT", "x", "--json"]));
  await noted(["record", "change", id, "--ttl", "600"]);
  await noted(["record", "remove", id]);
  const file = join(temporaryFolder(), "noted.example.zone");
  writeFileSync(file, "b 300 IN A 192.0.2.1\n");
  await noted(["import", file]);
  expect((await printed("history noted.example")).trimEnd().split("\n").slice(1)).toEqual(
    Array(5).fill(expect.stringMatching(/ wegen Zürich$/)),
  );
  await noted(["domain", "remove", "noted.example", "--yes"]);
  const nothing = zonesmith(["record", "change", id, ...note], environment);
  expect([await nothing.ended(), nothing.output().stderr]).toEqual([2, expect.stringMatching(/nothing to change/)]);
});

test("a refusal is one line for each reason, or the service's JSON", async () => {
  expect(await run("domain show nothing.example.com")).toEqual([1, "", expect.stringMatching(/^zonesmith: .*\n$/)]);
  const [code, stdout] = await run("domain show nothing.example.com --json");
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    expect.objectContaining({ code: 404, status: "error", error: "NOT_FOUND" }),
  ]);
  expect((await run("domain nothing"))[0]).toBe(2);
});

test.each<[string, RegExp]>([
  ["record remove", /missing required argument 'id'\n\("zonesmith record remove --help"/],
  [
    "record add example.com txt TXT v=spf1 mx -all",
    /unknown option '-all'\nPut record data in quotes.*\n\("zonesmith record add/,
  ],
  ["record change 1000000000000001", /nothing to change is given; write --owner, --type, --rdata, --ttl, --force, or/],
  ["secondary change knot1", /nothing to change is given; write --name, .*\n\("zonesmith secondary change --help"/],
  ["domain nothing", /unknown command 'nothing'\n\("zonesmith domain --help" shows the commands/],
])("%s is wrong usage, which names the command's own help, as JSON too", async (line, message) => {
  expect(await run(line)).toEqual([2, "", expect.stringMatching(message)]);
  const [code, stdout, stderr] = await run(`${line} --json`);
  const { message: inOneLine, ...body } = JSON.parse(stdout);
  expect([code, stderr, body]).toEqual([2, "", { status: "error", error: "USAGE" }]);
  expect(inOneLine).toMatch(new RegExp(message.source.replaceAll("\\n", " ")));
});

test("a failure of the command itself is JSON too", async () => {
  const [code, stdout, stderr] = await run("record list example.com --json", "");
  expect([code, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "error",
    error: "FAILED",
    message: expect.stringMatching(/ZONESMITH_API_KEY/),
  });
});

test("the serial of an SOA leaps only with --force, which the refusal names", async () => {
  await printed("user add leap@example.com");
  await printed("domain add leap.example --user leap@example.com");
  const [soa] = JSON.parse(await printed("record list leap.example --type SOA --json"));
  const leap = ["record", "change", soa.id, "--rdata", soa.rdata.replace(/ 20\d{8} /, " 2999999999 ")];
  const environment = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const refused = zonesmith(leap, environment);
  expect(await refused.ended()).toBe(1);
  expect(refused.output().stderr).toMatch(/or write --force if it is meant/);
  expect(await zonesmith([...leap, "--force"], environment).ended()).toBe(0);
});

test("what cannot be undone is asked on a terminal, and wants --yes elsewhere", async () => {
  await printed("user add gone@example.com");
  await printed("domain add gone.example --user gone@example.com");
  const refused = "This deletes gone.example with its 4 records. Write --yes if it is meant.";
  expect(await run("domain remove gone.example")).toEqual([1, "", `zonesmith: ${refused}\n`]);
  expect((await run("user remove gone@example.com --delete-domains"))[2]).toMatch(/gone@example\.com with 1 domain/);
  await printed("user remove gone@example.com --delete-domains --yes");
  const own = JSON.parse(await printed("key add own --json"));
  expect((await run(`key revoke ${own.apiKey.id}`, own.key))[2]).toMatch(/revokes the key that this command uses/);
  await printed(`key revoke ${own.apiKey.id} --yes`, own.key);
});

test("a list is read to its end", async () => {
  const userId = await service.user("many@example.com");
  await service.sql(
    `insert into domain (zone, user_id, serial) select 'd' || n || '.many.example', ${userId}, 1 from generate_series(1, 450) n`,
  );
  expect(JSON.parse(await printed("domain list --user many@example.com --json"))).toHaveLength(450);
  await service.sql(`delete from domain where user_id = ${userId}`);
});

test("status shows what the service really is, and warns of settings that cannot stay", async () => {
  const [code, stdout, stderr] = await run("status");
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^DNS +127\\.0\\.0\\.1 port ${service.dnsPort}$`, "m")),
  ]);
  expect(stderr).toMatch(/^warning: New zones are lame: .*NAME_SERVERS="/);
});

test.each<[string, Record<string, string>, string]>([
  ["ZONESMITH_URL", { ZONESMITH_URL: "http://dns.example.com/x/", HTTP_PORT: "1" }, "http://dns.example.com/x"],
  ["HTTP_PORT", { HTTP_PORT: "4001" }, "http://127.0.0.1:4001"],
  ["LISTEN", { LISTEN: "::1" }, "http://[::1]:4000"],
  ["a wildcard", { LISTEN: "0.0.0.0", HTTP_PORT: "4001" }, "http://127.0.0.1:4001"],
  ["service.json", { HTTP_PORT: "0", DATA_DIR: "there" }, "http://127.0.0.1:4999"],
  ["nothing", { DATA_DIR: "elsewhere" }, "http://127.0.0.1:4000"],
])("the service is found by %s", (_by, environment, url) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "service.json"), JSON.stringify({ url: "http://127.0.0.1:4999", pid: 1 }));
  const folders: Record<string, string> = { there: folder, elsewhere: join(folder, "none") };
  const { DATA_DIR } = environment;
  const given = { ...environment, ...(DATA_DIR && { DATA_DIR: folders[DATA_DIR] }), ZONESMITH_API_KEY: "k" };
  expect(readEndpoint(given).url).toBe(url);
  expect(readdirSync(folder)).toEqual(["service.json"]);
});
