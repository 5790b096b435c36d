/** `zonesmith import` and `export` of master files: one, a folder of them, or those that the named.conf of a BIND names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Flag, Rcode } from "../../../src/dns/message/header.ts";
import { readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { opened } from "../../setup/basics/opened.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";
import { recordOf, transferMessages } from "../../setup/zones/zone-copy.ts";

const service = testService();
const cli = commandLine(service);
beforeAll(() => service.user("owner@example.com"));

const otherSoa = "@ 300 SOA ns1.example.net. hostmaster.example.net. 7 2 1 1 1\n@ 300 NS ns1.example.net.\n";
const soa = "@ 300 SOA ns1.example.net. hostmaster.example.net. 7 1 1 1 1\n@ 300 NS ns1.example.net.\n";

test("a file is imported and exported; a dry run shows the difference, and a refusal each line", async () => {
  const path = temporaryFolder({
    "cli.example.com.zone": `${soa}a 300 A 192.0.2.1\n`,
    more: "b 300 A 192.0.2.2\n",
    other: `${soa.replace(" 1 1 1 1", " 1 2 1 1")}a 300 A 192.0.2.1\n`,
    wrong: "a A 192.0.2.256\n\nb 300 MX\n",
  });
  const output = join(path, "out");
  await cli.shows(`
    $ import ${path}/cli.example.com.zone => [1] To create the zone, say for whom: --user you@example.com.
    $ import ${path}/cli.example.com.zone --user owner@example.com --replace
    cli.example.com: added 2 and removed 0 records, serial 7
    $ import ${path}/more --zone cli.example.com --dry-run
    cli.example.com: would add 1 and remove 0 records
    + b 300 A 192.0.2.2
    $ import ${path}/other --zone cli.example.com --replace --dry-run
    cli.example.com: would add 0 and remove 0 records, and change the SOA
    - @ 300 SOA … 1 1 1 1
    + @ 300 SOA … 1 2 1 1
    $ import ${path}/wrong --zone cli.example.com
    2> zonesmith: line 1: …
    2> zonesmith: line 3: …
    [1]
    $ export cli.example.com --output ${output}
    $ import /nonexistent/example.com.zone => [1] cannot be read (ENOENT)
    $ import ${path}/more => [1] --zone example.com
    $ import ${path}/more --zone cli.example.com --user nobody@example.com => [1] zonesmith user add nobody@example.com
    $ export unknown.example.com => [1] There is no zone unknown.example.com
    $ import --nonsense => [2] unknown option
    $ export => [2] missing required argument
  `);
  expect(readFileSync(output, "utf8")).toBe(await cli.printed("export cli.example.com"));
  const [code, stdout] = await cli.run(`import ${path}/wrong --zone cli.example.com --json`);
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: "INVALID_RDATA", reasons: [{ line: 1 }, {}] }]);
});

test("a folder is imported in one call: a zone that is refused does not keep the others out", async () => {
  const path = temporaryFolder({
    "one.example.zone": `${soa}a 300 A 192.0.2.1\n`,
    "two.example.zone": `${soa}a 300 A 192.0.2.256\n`,
    "three.example.zone": `${soa}@ 300 ALIAS target.example.net.\n`,
    "four.example.zone": `${soa}@ 300 CNAME target.example.net.\n`,
    notes: "",
  });
  await cli.shows(`
    $ import ${path} --user owner@example.com --replace
    one.example: added 2 and removed 0 records, serial 7
    2> four.example: line 3: A CNAME cannot be at the apex; write the addresses that it leads to.
    2> four.example: --skip-unsupported leaves out the lines that no zone can hold, and names them.
    2> three.example: line 3: ALIAS is resolved by the service…
    2> three.example: --skip-unsupported leaves out the lines that no zone can hold, and names them.
    2> two.example: line 3: …192.0.2.256…
    2> skipped notes: its name is not that of a zone
    2> zonesmith: 3 of 4 zones were not imported; see above.
    [1]
  `);
});

test("a named.conf is imported in one call, and lines that no zone can hold are left out when that is asked for", async () => {
  const path = temporaryFolder({
    "named.conf": 'zone "four.example" { type master; file "four.db"; dnssec-policy default; };',
    "four.db": `${soa}@ 300 ALIAS target.example.net.\nb 300 A 192.0.2.4\n`,
    "four.db.jnl": "",
  });
  const line = `import ${path}/named.conf --user owner@example.com --replace --skip-unsupported`;
  await cli.shows(`
    $ ${line}
    four.example: added 2 and removed 0 records, serial 7
    warning: ${path}/four.db.jnl has changes that the file may lack; run rndc sync -clean first, or import with --from.
    warning: BIND signs the zone, and its file has neither keys nor signatures: while the parent zone has a DS…
    warning: line 3: left out. ALIAS…
  `);
  expect(JSON.parse(await cli.printed(`${line} --json`))).toMatchObject({ zone: "four.example", added: 0, removed: 0 });
});

type Row = readonly [owner: string, type: string, rdata: string];

describe("zones of a name server", () => {
  const key = { name: "transfer.key.example", secret: "a secret that both of them know" } as const;
  const signing = { algorithm: "hmac-sha256", secret: Buffer.from(key.secret) } as const;
  const server = opened(new Responder());
  const apex: readonly Row[] = [
    ["@", "SOA", "ns1.example.net. hostmaster.example.net. 7 1 1 1 1"],
    ["@", "NS", "ns1.example.net."],
  ];
  const rows: Readonly<Record<string, readonly Row[]>> = {
    "moved.example": [
      ...apex,
      ["a", "A", "192.0.2.1"],
      ["a", "NSEC", "moved.example. A"],
      ["txt", "TXT", '"one; \\"two\\"" "three"'],
    ],
    "other.example": apex,
    "listed.example": apex,
    "empty.example": apex,
    "broken.example": [
      ...apex,
      ["@", "TYPE65401", "\\# 1 00"],
      ["www", "CNAME", "a.example.net."],
      ["www", "TXT", "beside"],
    ],
    "catalog.example": [
      ["@", "SOA", "invalid. invalid. 7 1 1 1 1"],
      ["@", "NS", "invalid."],
      ["version", "TXT", '"2"'],
      ["one.zones", "PTR", "other.example."],
      ["two.zones", "PTR", "moved.example."],
      ["group.two.zones", "TXT", '"a group"'],
    ],
  };
  let place: string;
  let keyFile: string;
  beforeAll(() => {
    place = `${server.address}:${server.port}`;
    server.onTransfer = (zone, request) => {
      const records = rows[zone]?.map(([owner, type, rdata]) => recordOf(zone, owner, type, rdata));
      if (!records)
        return [new MessageWriter({ id: readMessage(request).id, flags: Flag.QR | Rcode.NOTAUTH }).finish()];
      return transferMessages(request, records, { key: { name: key.name, key: signing }, perMessage: 2 });
    };
    const secret = signing.secret.toString("base64");
    keyFile = join(
      temporaryFolder({ key: `key "${key.name}" {\n\talgorithm hmac-sha256;\n\tsecret "${secret}";\n};\n` }),
      "key",
    );
  });

  test("are previewed, imported, left when they are equal, and compared", async () => {
    const from = `--from ${place} --tsig ${keyFile}`;
    await cli.shows(`
      $ import moved.example ${from} => [1] To create the zone, say for whom
      $ import moved.example ${from} --user owner@example.com --replace --dry-run
      moved.example: would add 3 and remove 0 records
      warning: a.moved.example. … NSEC moved.example. A: NSEC belongs to the signer of the zone and was left out.
      + @ 300 NS ns1.example.net.
      + a 300 A 192.0.2.1
      + txt 300 TXT "one; \\"two\\"" "three"
      $ import --catalog catalog.example ${from} --user owner@example.com --replace …
      moved.example: added 3 and removed 0 records, serial 7
      warning: a.moved.example. … NSEC moved.example. A: NSEC belongs to the signer of the zone and was left out.
      other.example: added 1 and removed 0 records, serial 7
      $ import moved.example other.example ${from} --replace …
      moved.example: nothing to change
      other.example: nothing to change
      $ compare moved.example --with ${place} --tsig ${keyFile}
      moved.example: ${place} has the same records
      $ record add moved.example b A 192.0.2.2 …
      $ import ${temporaryFolder({ "other.example.zone": otherSoa })}/other.example.zone --replace …
    `);
    await cli.shows(`
      $ compare --catalog catalog.example --with ${place} --tsig ${keyFile}
      moved.example: ${place} has other records
      - b 3600 A 192.0.2.2
      other.example: ${place} has other records
      - @ 300 SOA ns1.example.net. hostmaster.example.net. 0 2 1 1 1
      + @ 300 SOA ns1.example.net. hostmaster.example.net. 0 1 1 1 1
      [1]
      $ compare moved.example --with ${place} --tsig ${keyFile} --adopt
      moved.example: ${place} has other records
      - b 3600 A 192.0.2.2
      Change set <set> adopts it: zonesmith changeset preview <set>
      [1]
      $ changeset apply <set> --yes …
      $ compare moved.example --with ${place} --tsig ${keyFile}
      moved.example: ${place} has the same records
      $ compare --with ${place} => [2] with --with, write the zones, or --catalog, or --zones
      $ compare missing.example --with ${place} --tsig ${keyFile} => [1] zonesmith: 1 of 1 zones were not compared
      $ import broken.example ${from} --user owner@example.com --replace --skip-refused …
      broken.example: added 2 and removed 0 records, serial 7
      $ compare broken.example --with ${place} --tsig ${keyFile}
      broken.example: ${place} has other records
      + broken.example. 300 IN ALIAS … ALIAS is resolved by the service…
      + www.broken.example. 300 IN CNAME a.example.net.: www CNAME a.example.net. cannot be beside www TXT…
      [1]
    `);
  });

  test("come from a list; what cannot be transferred is named, and the others are imported", async () => {
    const list = join(
      temporaryFolder({ list: "# ours\n; theirs\nlisted.example\n\nmissing.example\n", "list.bad": "; ours\na..b\n" }),
      "list",
    );
    const short = join(temporaryFolder({ key: `hmac-sha256:${key.name}:${signing.secret.toString("base64")}` }), "key");
    await cli.shows(`
      $ import --zones ${list} --from ${place} --tsig ${short} --user owner@example.com --replace
      listed.example: added 1 and removed 0 records, serial 7
      2> missing.example: ${place}: it refuses the transfer of the zone (NOTAUTH); check the name, the server's list of who may transfer, and --tsig.
      2> zonesmith: 1 of 2 zones were not imported; see above.
      [1]
      $ import other.example --from ${place} --tsig ${list} => [1] holds no key
      $ import other.example --from ${place} --tsig hmac-sha256:k:c2VjcmV0 => [1] zonesmith: --tsig: write the key into a file
      $ import other.example --from 127.0.0.1:99999 => [1] --from: write the address of a name server
      $ import other.example --from 192.0.2.1:x:y => [1] --from: write the address of a name server
      $ import other.example --zones ${list} --from ${place} => [2] only one of them
      $ import --zones ${list}.txt --from ${place} => [1] --zones: ${list}.txt cannot be read (ENOENT); check its path.
      $ import --zones ${list}.bad --from ${place} => [1] zonesmith: --zones: line 2: "a..b" is not a domain name
      $ import --zones /dev/null --from ${place} => [1] --zones: /dev/null has no zone; write one a line.
      $ import --catalog empty.example --from ${place} --tsig ${short} => [1] --catalog: empty.example has no member
      $ import other.example --tsig ${short} => [2] need --from
    `);
  });
});
