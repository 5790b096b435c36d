import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../src/dns/malformed.ts";
import { isWithin, nameText, parseName, parseOwner, parseZoneName, zoneNameWire } from "../../../src/dns/name.ts";
import { canonicalRdata, checkRdata, parseRdata, printRdata } from "../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypeByCode } from "../../../src/dns/rdata/record-type-registry.ts";
import { eachRule } from "../../vectors/loop.ts";
import {
  exceptions,
  type NameVector,
  type RdataVector,
  type Rule,
  readVectors,
  splitRules,
} from "../../vectors/read-vectors.ts";

const origin = zoneNameWire("example.com");
const elsewhere = zoneNameWire("elsewhere.example");
const lines = readVectors<RdataVector>("rdata.jsonl");
const settled = lines.filter(({ agree }) => agree !== "split");
const split = lines.filter(({ agree }) => agree === "split");
const hex = (octets: Uint8Array) => Buffer.from(octets).toString("hex");

interface Parsed {
  readonly type: RecordType;
  readonly wire: Uint8Array;
}

/** The wire, or undefined when it is Malformed; any other error fails the test. */
function attempt<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function parse(vector: RdataVector): Parsed | undefined {
  return attempt(() => {
    const type = recordType(vector.type);
    return { type, wire: parseRdata(type, vector.rdata, { origin, context: "master" }) };
  });
}

const decide = (rules: readonly Rule[], vector: RdataVector) => rules.find((rule) => rule.matches(vector));
const parsed = new Map(lines.map((vector) => [vector, parse(vector)]));
const accepted = [...parsed].flatMap(([vector, result]) => (result ? [{ vector, ...result }] : []));

/** The rule of ours that decides a line; none decides a settled line that has the servers' verdict. */
const ruleOf = (vector: RdataVector) => decide(vector.agree === "split" ? splitRules : exceptions, vector);

eachRule<RdataVector, boolean | null>(
  {
    name: "rdata.jsonl, in master-file context: whether data are accepted",
    verdict: (vector) => parsed.get(vector) !== undefined,
    expected: (vector) => ruleOf(vector)?.accept ?? vector.valid,
  },
  lines,
  (vector) => ruleOf(vector)?.rule ?? "where the servers agree, we do",
);

describe("rdata.jsonl, in master-file context", () => {
  test("nothing that makes a server drop the zone is accepted", () => {
    expect(accepted.filter(({ vector }) => vector.wire_unsafe)).toEqual([]);
  });

  test("the wire is the servers' wire", () => {
    const wrong = accepted.filter(({ vector, wire }) => vector.wire !== undefined && vector.wire !== hex(wire));
    expect(wrong.map(({ vector, wire }) => [vector, hex(wire)])).toEqual([]);
  });

  test("the canonical wire is that of RFC 4034 §6.2, with the names of SVCB and HTTPS in lower case too", () => {
    const wrong = accepted.filter(({ vector, type, wire }) => {
      if (vector.canonical_wire === undefined) return false;
      // Servers differ about the names in SVCB and HTTPS; we publish their case as given and compare them without it.
      const lowered = /^(SVCB|HTTPS)$/.test(type.mnemonic);
      const theirs = lowered ? canonicalRdata(type, Buffer.from(vector.canonical_wire, "hex")) : vector.canonical_wire;
      return (typeof theirs === "string" ? theirs : hex(theirs)) !== hex(canonicalRdata(type, wire));
    });
    expect(wrong.map(({ vector }) => vector)).toEqual([]);
  });

  test("what we print reads back to the same wire in either context and passes the check of wire", () => {
    const wrong = accepted.filter(({ type, wire }) => {
      checkRdata(type, wire);
      const text = printRdata(type, wire);
      return (["master", "field"] as const).some(
        (context) => hex(parseRdata(type, text, { origin: elsewhere, context })) !== hex(wire),
      );
    });
    expect(wrong.map(({ vector }) => vector)).toEqual([]);
  });

  test("the wire of a refused line, given as wire, is refused too", () => {
    const generic = lines.filter(({ rdata }) => /^\\#\s+[0-9]+\s+[0-9a-fA-F\s]+$/.test(rdata));
    const wrong = generic.filter((vector) => {
      const [, , ...digits] = vector.rdata.split(/\s+/);
      const wire = Buffer.from(digits.join(""), "hex");
      if (wire.length !== Number(vector.rdata.split(/\s+/)[1])) return false;
      const checked = attempt(() => {
        checkRdata(recordType(vector.type), wire);
        return true;
      });
      return (checked ?? false) !== (parsed.get(vector) !== undefined);
    });
    expect(wrong).toEqual([]);
  });
});

/** Why an API field decides otherwise than a master file (decisions.md, Records). */
const fieldRules: readonly { readonly rule: string; matches(vector: RdataVector): boolean }[] = [
  {
    rule: "an unquoted semicolon is refused: nothing is dropped as a comment",
    matches: ({ rdata }) => /;/.test(rdata),
  },
  {
    rule: "blanks are between the groups of four digits of base64, not inside one",
    matches: ({ type, rdata }) =>
      /^(CERT|C?DNSKEY|KEY|RKEY|SIG|DHCID|OPENPGPKEY)$/.test(type) && /[\w+/]\s+[\w+/=]+ ?\)?$/.test(rdata),
  },
  {
    rule: "raw control characters are refused, tabs between words aside",
    matches: ({ rdata }) => /\p{Cc}/u.test(rdata.trim()),
  },
  {
    rule: "a relative name of several labels is ambiguous",
    matches: ({ type, rdata }) => !/^(TXT|SPF|TYPE16|TYPE99)$/i.test(type) && /[^\s.\\]\.[^\s.]+(\s|$)/.test(rdata),
  },
  { rule: "TXT and SPF may be one literal text", matches: ({ type }) => /^(TXT|SPF|TYPE16|TYPE99)$/i.test(type) },
];

const fieldDiffers = lines.flatMap((vector) => {
  const field = attempt(() => parseRdata(recordType(vector.type), vector.rdata, { origin, context: "field" }));
  const master = parsed.get(vector)?.wire;
  if (field === undefined ? master === undefined : master !== undefined && hex(field) === hex(master)) return [];
  return [fieldRules.find((rule) => rule.matches(vector))?.rule ?? `unexplained: ${vector.id}`];
});

test("an API field differs from a master file only by a rule of decisions.md", () => {
  expect(fieldDiffers.filter((rule) => rule.startsWith("unexplained"))).toEqual([]);
});

describe("names.jsonl", () => {
  const names = readVectors<NameVector>("names.jsonl");
  const owner = (name: string) =>
    attempt(() => {
      parseOwner(name, "example.com");
      return parseName(name, origin);
    });
  const isSettled = ({ valid, agree, policy }: NameVector) =>
    valid !== null && agree !== "policy" && policy === undefined;
  /** Our rule for the lines that are not settled. */
  const ours = ({ kind, name }: NameVector): boolean =>
    !/[\p{Cc}\s";()]|\\256|\\$/u.test(name) && (kind === "owner" || name !== "@");

  eachRule<NameVector, { valid: boolean | null; wire: string | undefined }>(
    {
      name: "whether a name is accepted, and its wire",
      verdict: (vector) => {
        const name = vector.kind === "owner" ? owner(vector.name) : attempt(() => parseZoneName(vector.name));
        const wire = vector.wire !== undefined && name instanceof Uint8Array ? hex(name) : undefined;
        return { valid: name !== undefined, wire };
      },
      expected: (vector) => {
        const valid = isSettled(vector) ? vector.valid : ours(vector);
        return { valid, wire: valid && vector.kind === "owner" ? vector.wire : undefined };
      },
    },
    names,
    (vector) =>
      isSettled(vector)
        ? `where the servers agree on ${vector.kind === "owner" ? "an owner" : "a zone's name"}, we do`
        : "otherwise punctuation is escaped, Unicode converted, and quotes and controls are refused",
  );

  test("every owner that we accept is in the zone", () => {
    for (const { name } of names.filter(({ kind }) => kind === "owner")) {
      const wire = owner(name);
      if (wire) expect([name, isWithin(wire, origin)]).toEqual([name, true]);
    }
  });

  test("every name that we accept prints to a text that reads back to it", () => {
    for (const { name } of names.filter(({ kind }) => kind === "owner")) {
      const wire = owner(name);
      if (wire) expect(parseName(nameText(wire))).toEqual(wire);
    }
  });
});

/** Settled lines, those with our verdict, those with equal wire; split lines, those that we accept. */
function figuresOf(vectors: readonly RdataVector[]): string {
  const settledOnes = vectors.filter(({ agree }) => agree !== "split");
  const splitOnes = vectors.filter(({ agree }) => agree === "split");
  const wireOf = (vector: RdataVector) => parsed.get(vector)?.wire;
  return [
    settledOnes.length,
    settledOnes.filter((vector) => vector.valid === (wireOf(vector) !== undefined)).length,
    settledOnes.filter((vector) => vector.wire !== undefined && vector.wire === hex(wireOf(vector) ?? new Uint8Array()))
      .length,
    splitOnes.length,
    splitOnes.filter(wireOf).length,
  ].join(" | ");
}

/** The figures by type as they stand in README.md. */
function figures(): string {
  const byCode = Map.groupBy(lines, ({ type }) => attempt(() => recordType(type).code) ?? 0);
  const mnemonic = (code: number) => (code === 0 ? "no type" : recordTypeByCode(code).mnemonic);
  const body = [...byCode]
    .toSorted(([a], [b]) => a - b)
    .map(([code, vectors]) => `| ${mnemonic(code)} | ${figuresOf(vectors)} |`);
  const total = `| **all** | ${figuresOf(lines)} |`;
  const count = (rules: readonly string[]) =>
    rules.map((rule) => `- ${rule}: ${fieldDiffers.filter((each) => each === rule).length}`);
  const exceptional = exceptions.map(
    ({ rule }) =>
      `- ${rule}: ${settled.filter((v) => decide(exceptions, v)?.rule === rule && v.valid === true).length}`,
  );
  const decided = splitRules.map(
    ({ rule, accept }) =>
      `- ${accept ? "accepted" : "refused"}: ${rule}: ${split.filter((v) => decide(splitRules, v)?.rule === rule).length}`,
  );
  return [
    "# Record data against the servers' verdicts",
    "",
    "Written by `test/unit/dns/vectors.test.ts` from `rdata.jsonl`; rewrite it with `UPDATE_FIGURES=1 npm test -- test/unit/dns/vectors`.",
    "Settled: lines on which the servers agree; agreed: of these, with our verdict; wire: with equal wire; split: lines on which the servers differ; accepted: of these, by us.",
    "",
    "| type | settled | agreed | wire | split | accepted |",
    "|---|---:|---:|---:|---:|---:|",
    ...body,
    total,
    "",
    "Settled lines that the servers accept and we refuse:",
    "",
    ...exceptional,
    "",
    "Split lines, by the rule that decides them:",
    "",
    ...decided,
    "",
    "Lines on which an API field differs from a master file, by the rule of the decisions that says so:",
    "",
    ...count(fieldRules.map(({ rule }) => rule)),
    "",
  ].join("\n");
}

test("README.md holds today's figures; UPDATE_FIGURES=1 npm test -- test/unit/dns/vectors rewrites it", () => {
  const readme = new URL("../../vectors/README.md", import.meta.url);
  if (process.env.UPDATE_FIGURES) writeFileSync(readme, figures());
  expect(readFileSync(readme, "utf8")).toBe(figures());
});
