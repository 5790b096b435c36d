/**
 * The commands of the README and of docs, as they are written there: each document in a folder beside a service of its own, with the README's
 * first five minutes before it. After them come the commands of the first start.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "@jest/globals";
import { welcome } from "../../../src/service/announcement.ts";
import { type Block, blocksOf, documents, readDocument, root } from "../../setup/basics/documents.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { Shell } from "../../setup/process/shell.ts";
import { adminKey, type TestService, testService } from "../../setup/service/service.ts";

const test = testWith("curl");

/**
 * Blocks that need more than a service, by the beginning of `file # heading: first line`, with the ends of the paths of the tests that run their
 * commands.
 */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  // npm ci in a new checkout, and the service that it makes.
  "README.md # Two commands": [".ci/run", ".ci/start"],
  // A name server to transfer from.
  "docs/move-in.md # From a name server": ["name-servers/move-in.test.ts"],
  // A RESTKnot.
  "docs/restknot.md # Move": ["cli/restknot.test.ts", "cli/import.test.ts"],
  "docs/graphql.md # Types for a frontend": ["/frontend.test.ts"],
  // An empty database, and a secondary that is ahead.
  "docs/backup.md # Restore": ["cli/backup.test.ts", "cli/resync.test.ts", "cli/serve.test.ts"],
  "docs/backup.md # With the programs": ["/restore-while-running.test.ts"],
  // Zones that are older than the settings.
  "docs/operation.md # Zones that were made before": ["/example-names.test.ts"],
  // A certificate.
  "docs/operation.md # HTTPS": ["cli/https.test.ts"],
  // Other shells.
  "docs/operation.md # Completion: source <(zonesmith completion zsh)": ["/completion.test.ts"],
  "docs/guarantees.md # The test of acknowledged writes": ["soak/ledger.test.ts", "soak/ledger.ts"],
  // systemd, a global package, and the database of an earlier version.
  "docs/upgrade.md #": ["upgrade/document.test.ts"],
};

const paths = [".ci", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
);

/** The text of the files whose paths end so; throws where there is none. */
function textOf(end: string): string {
  const files = paths.filter((path) => path.endsWith(end));
  if (files.length === 0) throw new Error(`no file ends in ${end}`);
  return files.map(readDocument).join("\n");
}

const nameOf = ({ file, heading, text }: Block) => `${file} # ${heading}: ${text.split("\n")[0]}`;
const runElsewhere = (block: Block) => Object.keys(elsewhere).find((name) => nameOf(block).startsWith(name));
const shellBlocks = documents.flatMap((file) => blocksOf(file, "sh"));

/** What a document supposes beside the README's first five minutes. */
const fixtures: Readonly<Record<string, (service: TestService) => Promise<unknown>>> = {
  "docs/high-availability.md": (service) =>
    service.mutate("createSecondary", { name: "ns1", address: "192.0.2.53", port: 53 }, "secondary { id }"),
  // Zones of three hours ago, a key that changed one of them since, and one that is deleted.
  "docs/time.md": async (service) => {
    const [{ id }] = (await service.data("{ users { nodes { id } } }")).users.nodes;
    await service.domain("shop.example", id);
    await service.record("shop.example", "@", "MX", "10 mail.example.com.");
    await service.mutate("deleteDomain", { by: { zone: "shop.example" } }, "deletedId");
    await service.sql("update change set created_at = created_at - interval '3 hours'");
    const key = await service.key({ name: "deploy-bot", userId: id });
    await service.mutate(
      "createRecord",
      { zone: "example.com", owner: "bot", type: "A", rdata: "192.0.2.7" },
      "record { id }",
      key,
    );
  },
};

const firstMinutes = shellBlocks.filter(
  ({ file, heading }) => `${file} ${heading}` === "README.md The first five minutes",
);

/** What the blocks of some headings print beside what they do. */
const printed: Readonly<Record<string, readonly string[]>> = {
  "README.md # The first five minutes": ["you@example.com", "mail.example.com", "UNSERVED", "would add 0", "zs_"],
  "README.md # REST": ['"owner":"www2"'],
  "README.md # Name servers": ["address: 192.0.2.1@53\n", "RFC2136_NAMESERVER=127.0.0.1:"],
  "README.md # History": ["example.com is back"],
  "docs/operation.md # Doctor": ["migrations: all", "tables: those of this version"],
  "docs/time.md # Go back": ["bot"],
};

describe.each([...new Set(shellBlocks.filter((block) => !runElsewhere(block)).map(({ file }) => file))])(
  "%s",
  (file) => {
    const service = testService();
    let shell: Shell;
    beforeAll(async () => {
      shell = new Shell(service);
      if (file !== "README.md") for (const { text } of firstMinutes) await shell.run(text);
      await fixtures[file]?.(service);
    });

    for (const block of shellBlocks.filter((each) => each.file === file && !runElsewhere(each)))
      test(`${block.heading}: ${block.text.split("\n")[0]}`, async () => {
        const text = await shell.run(block.text);
        for (const part of printed[`${file} # ${block.heading}`] ?? []) expect(text).toContain(part);
        expect(text).not.toMatch(/"errors"|"status":"error"/);
      });

    for (const { heading, text } of blocksOf(file, "graphql"))
      test(`${heading}: the ${/^\w+/.exec(text)} of GraphQL`, async () => {
        if (text.startsWith("subscription")) return;
        expect((await service.graphql(text)).body.errors).toBeUndefined();
      });
  },
);

describe("commands that run elsewhere", () => {
  /** The words of a block by which a test that runs it is known: commands, and the names of options. */
  const wordsOf = (text: string) => [
    ...new Set(text.replace(/#.*$/gm, "").match(/(?<=zonesmith )[a-z]\w+|(?<=npm )\w+|\bpg_\w+|(?<=--)[a-z-]+/g)),
  ];

  test.each(Object.entries(elsewhere))("%s: %j", (name, files) => {
    const blocks = shellBlocks.filter((block) => runElsewhere(block) === name);
    expect(blocks).not.toEqual([]);
    const text = files.map(textOf).join("\n");
    // A test that reads the document has its words from there.
    const isRead = blocks.every((block) => text.includes(`"${block.file}"`));
    const words = isRead ? [] : blocks.flatMap((block) => wordsOf(block.text));
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  });
});

describe("the first start", () => {
  const service = testService();

  test("its commands do not collide with those of the README", async () => {
    const shell = new Shell(service);
    for (const { text } of firstMinutes) await shell.run(text);
    const welcoming = welcome({ url: service.url, dns: { address: "127.0.0.1", port: service.dnsPort } }, adminKey);
    const commands = welcoming.split("\n").filter((line) => /^ {2}(export|USER_ID|curl|zonesmith)/.test(line));
    const text = await shell.run(commands.map((line) => line.trim()).join("\n"));
    expect(text).toContain('"zone":"first.example"');
    expect(text).not.toMatch(/"errors"|"status":"error"/);
  });
});

test("no command asks a registry for a package of this name", () => {
  for (const document of [...documents, "deploy/README.md", "CONTRIBUTING.md"])
    expect(readFileSync(join(root, document), "utf8")).not.toMatch(/npx zonesmith/);
});
