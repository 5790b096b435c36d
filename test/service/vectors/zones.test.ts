import { expect, test } from "@jest/globals";
import { Refusal } from "../../../src/errors.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { testZones } from "../../setup/zones/session.ts";
import { eachLine } from "../../vectors/loop.ts";
import { readVectors, type ZoneVector } from "../../vectors/read-vectors.ts";

const vectors = readVectors<ZoneVector>("zones.jsonl");

/** What servers differ on or only warn of, and the rule that decides it. */
const decided: Readonly<Record<string, { verdict: "accept" | "refuse"; rule: string }>> = {
  "cname-dup-case": {
    verdict: "accept",
    rule: "equal records collapse: identity is canonical data, without letter case",
  },
  "no-ns": { verdict: "refuse", rule: "the apex keeps a name server; BIND does not load the zone" },
  "soa-dup": { verdict: "accept", rule: "equal records collapse, the SOA too" },
  "srv-cname": { verdict: "accept", rule: "a target that is a CNAME is a warning" },
  "mx-noaddr": { verdict: "accept", rule: "a target without an address is its owner's business" },
  "ns-noaddr": { verdict: "accept", rule: "in-zone NS without glue is a warning (decisions: accepted with a warning)" },
  "ns-ip": { verdict: "accept", rule: "a name of digits is a name; in-zone NS without glue is a warning" },
  "a-dup": { verdict: "accept", rule: "equal records collapse" },
  "mx-dup-case": { verdict: "accept", rule: "equal records collapse: embedded names without letter case" },
  "https-dup-case": { verdict: "accept", rule: "equal records collapse: every embedded name without letter case" },
  "generic-dup": { verdict: "accept", rule: "equal records collapse: RFC 3597 form of a known type is that type" },
  "ttl-mismatch-dup": { verdict: "accept", rule: "an RRset takes its first TTL" },
  "ttl-over": { verdict: "refuse", rule: "a TTL above 2^31-1 is refused" },
  "dname-child-deep": { verdict: "refuse", rule: "nothing lives below a DNAME; Knot and NSD do not load the zone" },
  "ooz-parent": { verdict: "refuse", rule: "an owner outside the zone is OUT_OF_ZONE; nothing is dropped silently" },
  "ds-badlen": { verdict: "refuse", rule: "digest length follows its type; BIND drops the zone" },
  "wild-ds": { verdict: "refuse", rule: "no wildcard NS; BIND drops the zone" },
  "wild-partial": { verdict: "accept", rule: "an asterisk inside a label is a letter" },
  "underscore-mx": { verdict: "accept", rule: "underscores are letters" },
  "ns-underscore": { verdict: "accept", rule: "underscores are letters" },
  "svcb-alias+service": {
    verdict: "accept",
    rule: "RFC 9460 §2.4.1: a client ignores the others; no server refuses it",
  },
  "type-axfr": { verdict: "refuse", rule: "query and meta types are no data" },
  "type-0": { verdict: "refuse", rule: "type 0 is no data" },
  generate: { verdict: "accept", rule: "$GENERATE is expanded, as in BIND" },
};

/** Where we take what the servers agree to refuse. */
const takenAnyway: Readonly<Record<string, string>> = {
  bom: "a byte order mark is no text; exports of Windows DNS begin with one",
};

const zones = testZones();

/** What a zone's verdict has to be: the servers', where they agree, else that of a rule. */
function expectedOf({ id, valid }: ZoneVector): string | undefined {
  if (id in takenAnyway) return "accept";
  const settled = valid === "accept" ? "accept" : valid === "reject" ? "refuse" : undefined;
  return settled ?? decided[id]?.verdict;
}

eachLine<ZoneVector, string | undefined>(
  {
    name: "zones.jsonl, as an import of a new zone",
    expected: expectedOf,
    verdict: ({ origin, zone }) => {
      const request = { zone: origin, text: [zone], mode: "REPLACE", userId: zones.userId, dryRun: true } as const;
      return importZone(zones.session(), request).then(
        () => "accept",
        (error) => (error instanceof Refusal ? "refuse" : String(error)),
      );
    },
  },
  vectors,
  {
    ruleOf: ({ id }) => takenAnyway[id] ?? decided[id]?.rule ?? "where the servers agree, we do",
    nameOf: ({ id }) => id,
  },
);

test("every line that servers differ on is decided by a rule, and no rule is idle", () => {
  const open = vectors.filter(({ valid }) => valid === "split" || valid === "warn").map(({ id }) => id);
  expect(Object.keys(decided).toSorted()).toEqual(open.toSorted());
});
