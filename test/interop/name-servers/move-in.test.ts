/** docs/move-in.md: zones come from each real name server by its own list of them and by transfers, and are compared with what it serves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "@jest/globals";
import { blocksOf } from "../../setup/basics/documents.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { has, testWith } from "../../setup/basics/programs.ts";
import { run } from "../../setup/process/command.ts";
import { commandLine, inShell } from "../../setup/process/command-line.ts";
import { bind, knot, nsd, powerdns, type Server } from "../../setup/servers/name-servers.ts";
import { primaryWith, type ServerProcess } from "../../setup/servers/server-process.ts";
import { testService } from "../../setup/service/service.ts";

const files = {
  "example.com": readFileSync(join(import.meta.dirname, "example.com.zone"), "utf8"),
  "2.0.192.in-addr.arpa":
    "@ 3600 SOA ns1.example.com. hostmaster.example.com. 7 1 1 1 1\n@ 3600 NS ns1.example.com.\n1 3600 PTR www.example.com.\n",
};
const count = Object.keys(files).length;

/** The commands of the document by which a server lists its zones, by the comment before each. */
const listings = new Map(
  blocksOf("docs/move-in.md", "sh").flatMap(({ text }) =>
    [...text.matchAll(/^# (\w+).*\n(.+) > zones\.txt$/gm)].map(([, name, line]) => [name, line] as const),
  ),
);

interface Source {
  readonly server: Server;
  readonly programs: readonly string[];
  /** What is added to its configuration. */
  readonly more?: (httpPort: number) => string;
  /** The listing at the place of the server of the test. */
  readonly placed: (listing: string, folder: string, httpPort: number) => string;
}

const sources: readonly Source[] = [
  {
    server: powerdns,
    programs: ["curl", "jq"],
    more: (port) => `api=yes\napi-key=key\nwebserver-port=${port}\n`,
    placed: (listing, _folder, port) => listing.replace("$PDNS_API_KEY", "key").replace("8081", `${port}`),
  },
  {
    server: bind,
    programs: ["named-checkconf"],
    placed: (listing, folder) => listing.replace("-l", `-l ${folder}/named.conf`),
  },
  {
    server: knot,
    programs: ["knotc"],
    placed: (listing, folder) => listing.replace("knotc", `knotc -c ${folder}/knot.conf`),
  },
  {
    server: nsd,
    programs: [],
    placed: (listing, folder) => listing.replace("nsd-control", `nsd-control -c ${folder}/nsd.conf`),
  },
];

describe.each(sources.map((source) => [source.server.name, source] as const))("%s", (_name, source) => {
  const programs = ["kdig", ...source.server.programs, ...source.programs];
  const test = testWith(...programs);
  const service = testService();
  const cli = commandLine(service);
  let primary: ServerProcess | undefined;
  let httpPort: number;

  beforeAll(async () => {
    await service.user("you@example.com");
    httpPort = await freePort();
    if (has(...programs)) primary = await primaryWith(source.server, files, source.more?.(httpPort));
  });
  afterAll(() => primary?.remove());

  test("its zones come over, and are what it serves", async () => {
    const { folder, port } = primary as ServerProcess;
    const importing = `zonesmith import --from 127.0.0.1:${port} --zones - --user you@example.com --replace`;
    const shell = (line: string) => run("sh", ["-ec", line], { env: { ...process.env, ...inShell(service) } });
    const listing = listings.get(source.server.name) ?? "";
    const line = `${source.placed(listing, folder, httpPort)} | ${importing}`;
    expect(await shell(`${line} --dry-run`)).toMatch(/would add \d+ and remove 0/);
    expect((await shell(line)).match(/added/g)).toHaveLength(count);
    expect((await shell(line)).match(/nothing to change/g)).toHaveLength(count);
    for (const zone of Object.keys(files))
      await cli.shows(`
        $ compare ${zone} --with 127.0.0.1:${port}
        ${zone}: 127.0.0.1:${port} has the same records
      `);
  });

  if (source.server === bind)
    test("its named.conf is imported in one call", async () => {
      const imported = await cli.printed(`import ${(primary as ServerProcess).folder}/named.conf --replace`);
      expect(imported.match(/nothing to change/g)).toHaveLength(count);
    });

  if (source.server === powerdns)
    test("what PowerDNS alone resolves is refused, and left out on demand", async () => {
      const { folder, port } = primary as ServerProcess;
      const add = (...record: string[]) =>
        run("pdnsutil", [`--config-dir=${folder}`, "add-record", "example.com", ...record]);
      await add("apex", "ALIAS", "www.example.net.");
      await add("lua", "LUA", 'A "ifportup(443, {192.0.2.1})"');
      await cli.shows(`
        $ import example.com --from 127.0.0.1:${port} --replace
        2> example.com: apex.example.com. 3600 IN ALIAS …: ALIAS is resolved by the service that it is from…
        2> example.com: lua.example.com. 3600 IN LUA …: "LUA" is not a record type…
        2> example.com: --skip-refused leaves out the records that are refused, and names them.
        2> zonesmith: 1 of 1 zones were not imported; see above.
        [1]
        $ import example.com --from 127.0.0.1:${port} --replace --skip-refused
        example.com: nothing to change
        left out: apex.example.com. 3600 IN ALIAS …
        left out: lua.example.com. 3600 IN LUA …
      `);
    });
});
