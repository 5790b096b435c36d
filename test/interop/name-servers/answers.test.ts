/** Our name server beside Knot, which serves the same zone from a file: the same answers to every question, and the same transfers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { kdig, run, type Said } from "../../setup/servers/kdig.ts";
import { knot as knotServer } from "../../setup/servers/name-servers.ts";
import { primaryWith, type ServerProcess } from "../../setup/servers/server-process.ts";
import { generateZone } from "../../setup/service/generated-zone.ts";
import { testService } from "../../setup/service/service.ts";

const zone = "example.com";
const text = readFileSync(join(import.meta.dirname, "example.com.zone"), "utf8");
const service = testService();
let userId: string;
let knot: ServerProcess | undefined;
const withKnot = testWith("knotd", "kdig");

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.mutate("importZone", { zone, text, mode: "REPLACE", userId }, "addedCount");
  const { text: exported } = await service.rest("GET", `/domain/zonefile/${zone}`);
  if (withKnot === test) knot = await primaryWith(knotServer, { [zone]: exported });
});
afterAll(() => knot?.remove());

/** Every name of the zone, the names between them, and names that are not there: beside, below and above each. */
function names(): string[] {
  const owners = [...text.matchAll(/^([^\s;$]+)/gm)].map(([owner]) => (owner === "@" ? "" : `${owner}.`));
  const all = new Set<string>();
  for (const owner of owners) {
    const labels = owner.match(/(?:\\.|[^.\\])+\./g) ?? [];
    for (let from = 0; from <= labels.length; from += 1) {
      const name = labels.slice(from).join("");
      for (const under of ["", "miss.", "a.b.", "*."]) all.add(`${under}${name}${zone}.`);
      all.add(`${name.replace(/^./, (first) => first.toUpperCase())}${zone}.`);
    }
  }
  return [...all];
}

const types = "A AAAA NS SOA MX TXT CNAME DNAME SRV PTR DS HTTPS CAA TYPE65280 NSEC RRSIG DNSKEY".split(" ");

describe("answers are Knot's for the same zone, order aside", () => {
  const questions = names().flatMap((name) => types.map((type) => [name, type] as const));
  const judged = ({ status, flags, answer, authority }: Said) => {
    const [authoritative, recursion] = [flags.includes("aa"), flags.includes("ra")];
    // What a truncated answer holds is not to be looked at (RFC 2181 §9).
    if (flags.includes("tc")) return { authoritative, recursion, truncated: true };
    // Knot keeps names in lower case; we keep them as they were written.
    const [answers, authorities] = [answer, authority].map((lines) => lines.map((line) => line.toLowerCase()));
    return { status, authoritative, recursion, answers, authorities };
  };

  withKnot.each([
    ["over UDP", ["+nordflag"]],
    ["over UDP with EDNS", ["+edns", "+dnssec"]],
    ["over TCP", ["+tcp", "+keepopen"]],
  ])("%s", async (_how, options) => {
    const ours = await kdig(service.dnsPort, questions, "+ignore", ...options);
    const theirs = await kdig(knot?.port ?? 0, questions, "+ignore", ...options);
    const different = questions.flatMap(([name, type], at) => {
      // Knot 3.2 says NXDOMAIN where RFC 6672 §2.2 says YXDOMAIN.
      if (name.endsWith(".grows.example.com.") && ours[at]?.status === "YXDOMAIN") return [];
      const [our, their] = [ours[at], theirs[at]].map((said) => JSON.stringify(said && judged(said)));
      return our === their ? [] : [`${name} ${type}\n  ours   ${our}\n  Knot's ${their}`];
    });
    expect(different.slice(0, 3)).toEqual([]);
    expect(different).toHaveLength(0);
    expect(questions.length).toBeGreaterThan(1000);
  });
});

describe("a transfer", () => {
  /** A key as kdig and dig are given it. */
  let key = "";
  let tsigKey = "";
  beforeAll(async () => {
    const made = await service.mutate(
      "createTsigKey",
      { name: "transfer.example", zones: [zone, "types.example"] },
      "secret tsigKey { id }",
    );
    key = `hmac-sha256:transfer.example:${made.secret}`;
    tsigKey = made.tsigKey.id;
  });
  const at = (port: number) => ["@127.0.0.1", "-p", String(port)];
  const transfer = async (port: number, ...options: string[]) =>
    (await run("kdig", [...at(port), ...options, zone, "AXFR"]))
      .split("\n")
      .filter((each) => each !== "" && !each.startsWith(";") && !/\sTSIG\s/.test(each))
      // Knot keeps names in lower case; we keep them as they were written.
      .map((each) => each.replaceAll(/\s+/g, " ").toLowerCase())
      .toSorted();

  withKnot("is Knot's of the same zone", async () => {
    const ours = await transfer(service.dnsPort, "-y", key);
    expect(ours).toEqual(await transfer(knot?.port ?? 0));
    expect(ours.length).toBeGreaterThan(50);
  });

  testWith("kdig")("of records of every type is read by kdig", async () => {
    const { records } = await generateZone(service, userId, "types.example", 7);
    const printed = await run("kdig", [
      ...at(service.dnsPort),
      "-y",
      key,
      "+noall",
      "+answer",
      "types.example",
      "AXFR",
    ]);
    const lines = printed.split("\n").filter((line) => line !== "" && !/^;|\sTSIG\s/.test(line));
    // The SOA is at both ends of a transfer.
    expect(lines).toHaveLength(records.length + 1);
  });

  testWith("kdig").each([
    ["without a key", "REFUSED", () => []],
    ["with an unknown key", "BADKEY", () => ["-y", key.replace("transfer", "unknown")]],
    ["with a wrong secret", "BADSIG", () => ["-y", "hmac-sha256:transfer.example:d3Jvbmc="]],
  ])("%s is refused for kdig too: %s", async (_how, status, options) => {
    const printed = await run("kdig", [...at(service.dnsPort), ...options(), zone, "AXFR"]);
    expect(printed).toContain(status);
    expect(printed).not.toMatch(/\sSOA\s/);
  });

  testWith("kdig")("of a change alone is read by kdig, as a secondary that has the zone", async () => {
    const secondary = { name: "kdig", address: "127.0.0.1", port: 9, notify: false, tsigKeyId: tsigKey };
    await service.mutate("createSecondary", secondary, "secondary { id }");
    const serial = await service.serial(zone);
    await transfer(service.dnsPort, "-y", key);
    await service.record(zone, "kdig", "A", "192.0.2.1");
    const printed = await run("kdig", [...at(service.dnsPort), "-y", key, zone, `IXFR=${serial}`]);
    expect(printed).toMatch(new RegExp(`SOA.* ${serial} `));
    expect(printed).not.toMatch(/;; (WARNING|ERROR)/);
  });
});

testWith("dig")("dig @127.0.0.1 -p PORT www.example.com works", async () => {
  const said = await run("dig", ["@127.0.0.1", "-p", String(service.dnsPort), `www.${zone}`]);
  expect(said).toMatch(/status: NOERROR.*\n;; flags: qr aa rd; QUERY: 1, ANSWER: 1/);
  expect(said).toMatch(/^www\.example\.com\.\s+3600\s+IN\s+A\s+192\.0\.2\.1$/m);
});
