import { describe, expect, test } from "@jest/globals";
import { Malformed } from "../../../src/dns/malformed.ts";
import { isWithin, parseName, parseOwner, parseZoneName, zoneNameWire } from "../../../src/dns/name.ts";
import { canonicalRdata, checkRdata, parseRdata, printRdata } from "../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordType } from "../../../src/dns/rdata/record-type-registry.ts";
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

/** Why an API field decides otherwise than a master file, and of how many lines; the first rule that fits a line counts. */
const fieldRules: readonly { readonly rule: string; readonly lines: number; matches(vector: RdataVector): boolean }[] =
  [
    {
      rule: "an unquoted semicolon is refused: nothing is dropped as a comment",
      lines: 10,
      matches: ({ rdata }) => /;/.test(rdata),
    },
    {
      rule: "blanks are between the groups of four digits of base64, not inside one",
      lines: 16,
      matches: ({ type, rdata }) =>
        /^(CERT|C?DNSKEY|KEY|RKEY|SIG|DHCID|OPENPGPKEY)$/.test(type) && /[\w+/]\s+[\w+/=]+ ?\)?$/.test(rdata),
    },
    {
      rule: "raw control characters are refused, tabs between words aside",
      lines: 66,
      matches: ({ rdata }) => /\p{Cc}/u.test(rdata.trim()),
    },
    {
      rule: "a relative name of several labels is ambiguous",
      lines: 13,
      matches: ({ type, rdata }) => !/^(TXT|SPF|TYPE16|TYPE99)$/i.test(type) && /[^\s.\\]\.[^\s.]+(\s|$)/.test(rdata),
    },
    { rule: "TXT and SPF may be one text", lines: 5, matches: ({ type }) => /^(TXT|SPF|TYPE16|TYPE99)$/i.test(type) },
  ];

test("an API field differs from a master file by these rules alone, on as many lines as ever", () => {
  const differing = lines.filter((vector) => {
    const field = attempt(() => parseRdata(recordType(vector.type), vector.rdata, { origin, context: "field" }));
    const master = parsed.get(vector)?.wire;
    return field === undefined ? master !== undefined : master === undefined || hex(field) !== hex(master);
  });
  const byRule = Map.groupBy(differing, (vector) => fieldRules.find((rule) => rule.matches(vector))?.rule ?? vector.id);
  const counts = [...byRule].map(([rule, found]) => [rule, found.length]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(fieldRules.map(({ rule, lines }) => [rule, lines])));
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
});
