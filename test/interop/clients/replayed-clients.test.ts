/**
 * The messages of clients that do not run here, replayed from their sources and documentation: the order of their records, their TTLs
 * and their transport, with the key that `zonesmith tsig create` prints for each. After its messages a client reads back what it
 * manages as it does: external-dns, octoDNS and DNSControl by AXFR, Terraform each RRset by a signed query, cert-manager the TXT by a
 * plain one.
 */
import { expect } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import type { ClientKey } from "../../setup/dns/update-client.ts";
import { keyIn, printedSnippet } from "../../setup/process/tsig-snippet.ts";
import { run } from "../../setup/servers/kdig.ts";
import { testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

const ns = ["@ 3600 NS ns1.zonesmith.example.", "@ 3600 NS ns2.zonesmith.example."];
const newNs = ["@ 3600 NS a.example.net.", "@ 3600 NS b.example.net."];
const hosts = (net: string) => Array.from({ length: 500 }, (_, at) => `h${at} 300 A ${net}.${at % 250}`);
const withoutTtl = (record: string) => record.replace(/^(\S+) \d+/, "$1");
const heritage = 'TXT "heritage=external-dns,external-dns/owner=default"';

/** One message, and all that the zone holds besides its SOA afterwards. */
type Step = readonly [rule: string, message: readonly string[], after: readonly string[]];

interface Replay {
  readonly client: string;
  readonly protocol: "udp" | "tcp";
  readonly reads: "axfr" | "signed" | "plain";
  readonly steps: readonly Step[];
}

const replays: readonly Replay[] = [
  {
    client: "external-dns",
    protocol: "udp",
    reads: "axfr",
    steps: [
      ["creates an endpoint", ["add web 300 A 192.0.2.1"], [...ns, "web 300 A 192.0.2.1"]],
      ["marks it as its own", [`add a-web 300 ${heritage}`], [...ns, "web 300 A 192.0.2.1", `a-web 300 ${heritage}`]],
      [
        "updates it: the old record goes, the new ones come",
        ["del web A 192.0.2.1", "add web 60 A 192.0.2.2", "add web 60 A 192.0.2.3"],
        [...ns, "web 60 A 192.0.2.2", "web 60 A 192.0.2.3", `a-web 300 ${heritage}`],
      ],
      [
        "replaces an RRset by one that holds a record of it",
        ["del web A", "add web 300 A 192.0.2.3"],
        [...ns, "web 300 A 192.0.2.3", `a-web 300 ${heritage}`],
      ],
      ["deletes both", ["del web A 192.0.2.3", `del a-web ${heritage}`], ns],
    ],
  },
  {
    client: "cert-manager",
    protocol: "udp",
    reads: "plain",
    steps: [
      ["presents", ['add _acme-challenge.www 60 TXT "k1"'], [...ns, '_acme-challenge.www 60 TXT "k1"']],
      [
        "presents a second challenge at the same name",
        ['add _acme-challenge.www 60 TXT "k2"'],
        [...ns, '_acme-challenge.www 60 TXT "k1"', '_acme-challenge.www 60 TXT "k2"'],
      ],
      ["cleans up the first alone", ['del _acme-challenge.www TXT "k1"'], [...ns, '_acme-challenge.www 60 TXT "k2"']],
      ["cleans up the second", ['del _acme-challenge.www TXT "k2"'], ns],
    ],
  },
  {
    client: "terraform",
    protocol: "udp",
    reads: "signed",
    steps: [
      [
        "creates a record set",
        ["add web 3600 A 192.0.2.1", "add web 3600 A 192.0.2.2"],
        [...ns, "web 3600 A 192.0.2.1", "web 3600 A 192.0.2.2"],
      ],
      [
        "changes a member of it",
        ["del web A 192.0.2.1", "add web 3600 A 192.0.2.3"],
        [...ns, "web 3600 A 192.0.2.2", "web 3600 A 192.0.2.3"],
      ],
      [
        "adds a record",
        ["add alias 300 CNAME web.example.net."],
        [...ns, "web 3600 A 192.0.2.2", "web 3600 A 192.0.2.3", "alias 300 CNAME web.example.net."],
      ],
      ["destroys the set", ["del web A"], [...ns, "alias 300 CNAME web.example.net."]],
      ["destroys the record", ["del alias CNAME"], ns],
    ],
  },
  {
    client: "octodns",
    protocol: "tcp",
    reads: "axfr",
    steps: [
      ["creates 500 records", hosts("192.0.2").map((record) => `add ${record}`), [...ns, ...hosts("192.0.2")]],
      [
        "makes 1,000 changes in one message",
        hosts("192.0.2").flatMap((record, at) => [`del ${withoutTtl(record)}`, `add ${hosts("198.51.100")[at]}`]),
        [...ns, ...hosts("198.51.100")],
      ],
      ["deletes them", hosts("198.51.100").map((record) => `del ${withoutTtl(record)}`), ns],
    ],
  },
  {
    client: "dnscontrol",
    protocol: "tcp",
    reads: "axfr",
    steps: [
      [
        "exchanges all NS behind a dummy",
        [
          "add @ 3600 NS dnscontrol.invalid.",
          ...ns.map((record) => `del ${withoutTtl(record)}`),
          ...newNs.map((record) => `add ${record}`),
          "del @ NS dnscontrol.invalid.",
        ],
        newNs,
      ],
      [
        "clears the name of a CNAME first",
        ["del www", "add www 300 CNAME web.example.net.", "add web 300 A 192.0.2.1"],
        [...newNs, "www 300 CNAME web.example.net.", "web 300 A 192.0.2.1"],
      ],
      [
        "turns a CNAME into an address",
        ["del www", "add www 300 A 192.0.2.1", "del web A 192.0.2.1"],
        [...newNs, "www 300 A 192.0.2.1"],
      ],
      [
        "keeps the one NS that is left, dummy or not (§3.4.2.4)",
        [
          "add @ 3600 NS dnscontrol.invalid.",
          ...newNs.map((record) => `del ${withoutTtl(record)}`),
          "del @ NS dnscontrol.invalid.",
        ],
        ["@ 3600 NS dnscontrol.invalid.", "www 300 A 192.0.2.1"],
      ],
    ],
  },
];

/** What dig prints of the zone as a client reads it: its status and its records, as `owner ttl type rdata`. */
async function dig(words: readonly string[], key?: ClientKey): Promise<{ status: string; records: string[] }> {
  const secret = key && Buffer.from(key.secret).toString("base64");
  const signed = key ? ["-y", `${key.algorithm}:${key.name}:${secret}`] : [];
  const where = ["@127.0.0.1", "-p", String(service.dnsPort), "+norecurse", "+onesoa"];
  const stdout = await run("dig", [...where, ...signed, ...words]);
  expect(stdout).not.toMatch(/couldn't verify|failed|BADSIG/i);
  const lines = stdout.split("\n").filter((line) => /^[^;\s]\S*\s+\d+\s+IN\s(?!\s*SOA)/.test(line));
  const records = lines.map((line) => {
    const [owner = "", ttl, , type, ...rdata] = line.split(/\s+/);
    const relative = owner === `${zone.name}.` ? "@" : owner.replace(`.${zone.name}.`, "");
    return `${relative} ${ttl} ${type} ${rdata.join(" ")}`;
  });
  return { status: /status: (\w+)/.exec(stdout)?.[1] ?? "", records: records.toSorted() };
}

/** Expects that a client finds these records, of the RRset that a line of its message is about or by AXFR. */
async function expectRead({ reads }: Replay, key: ClientKey, line: string, after: readonly string[]): Promise<void> {
  if (reads === "axfr") return expect((await dig([zone.name, "AXFR"], key)).records).toEqual(after.toSorted());
  const [verb, owner, ...rest] = line.split(" ");
  const type = rest[verb === "add" ? 1 : 0] as string;
  const records = after.filter((record) => record.startsWith(`${owner} `) && record.split(" ")[2] === type).toSorted();
  const status = records.length > 0 ? "NOERROR" : "NXDOMAIN";
  const read = await dig(
    ["+noall", "+comments", "+answer", `${owner}.${zone.name}`, type],
    reads === "signed" ? key : undefined,
  );
  expect(read).toEqual({ status, records });
}

testWith("dig").each(replays.map((replay) => [replay.client, replay] as const))("%s", async (client, replay) => {
  const key = keyIn(await printedSnippet(service, zone.name, client), zone.name, client);
  let before = await zone.read();
  expect(before.records).toEqual(ns);
  for (const [rule, message, after] of replay.steps) {
    const { rcode } = await zone.client.update(zone.name, message, { key, protocol: replay.protocol });
    const { records, changes, serial } = await zone.read();
    const steps = [changes - before.changes, serial - before.serial];
    expect({ rule, rcode, steps, records }).toEqual({
      rule,
      rcode: "NOERROR",
      steps: [1, 1],
      records: after.toSorted(),
    });
    await expectRead(replay, key, message[0] as string, after);
    before = { ...before, changes, serial };
  }
  expect(await zone.refusals()).toEqual([]);
});
