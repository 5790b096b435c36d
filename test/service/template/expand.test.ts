/** Templates as text: placeholders, values of each kind, and that no value makes anything but the template's records. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates have placeholders of that form
import { describe, expect, test } from "@jest/globals";
import { Refusal } from "../../../src/errors.ts";
import { expandTemplate, type TemplateContent, valuesOf } from "../../../src/template/expand.ts";
import { VariableKind } from "../../../src/template/variable.ts";
import { parseRecord } from "../../../src/zone/edit/canonical-record.ts";
import fc from "../../setup/basics/property.ts";
import { policy } from "../../setup/zones/session.ts";

const zone = "example.com";

/** A template of these records, `owner type rdata`, with a variable of each kind. */
function template(...records: string[]): TemplateContent {
  return {
    variables: Object.values(VariableKind).map((kind) => ({
      name: kind.toLowerCase(),
      kind,
      description: "",
      default: null,
    })),
    records: records.map((line) => {
      const [owner = "", type = "", ...rdata] = line.split(" ");
      return { owner, type, ttl: null, rdata: rdata.join(" ") };
    }),
  };
}

const samples = { ipv4: "192.0.2.7", ipv6: "2001:DB8::7", name: "host", text: "plain", integer: "7" };

/** The records of a template as `owner type rdata`, as they are stored; without those that join. */
function expanded(content: TemplateContent, values: Record<string, string> = {}, of = zone): string[] {
  const all = new Map(Object.entries({ ...samples, ...values }));
  return expandTemplate(content, all, { zone: of, policy, fieldOf: (name) => name })
    .filter(({ at }) => at !== undefined)
    .map((fields) => {
      const { owner, type, rdata } = parseRecord(fields, of, policy);
      return `${owner} ${type} ${rdata}`;
    });
}

const reasonOf = (run: () => unknown): [string, string | undefined, string] => {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.field, error.message];
  }
  throw new Error("it was not refused");
};

test("variables are written between quotes and elsewhere", () => {
  const content = template(
    "@ A ${ipv4}",
    "v6.${zone} AAAA ${ipv6}",
    "@ MX ${integer} ${name}",
    '${name} TXT "${text}; ${name} ${zone} ${integer} costs $$5"',
    "${zone.dashed} CNAME ${zone.dashed}.mail.example.net.",
    "@ NS ${nameServer}",
    "@ SOA ${nameServer} ${hostmaster} ${serial} 1 2 3 4",
    'x$$ TXT "\\${text}"',
  );
  expect(expanded(content, { text: 'say "hi" \\ ü', name: "@" })).toEqual([
    "@ A 192.0.2.7",
    "v6 AAAA 2001:db8::7",
    "@ MX 7 example.com.",
    '@ TXT "say \\"hi\\" \\\\ \\195\\188; example.com example.com 7 costs $5"',
    "example-com CNAME example-com.mail.example.net.",
    "@ NS ns1.example.net.",
    "@ NS ns2.example.net.",
    "@ SOA ns1.example.net. hostmaster.example.net. 0 1 2 3 4",
    'x\\036 TXT "${text}"',
  ]);
});

test("the default SOA and NS join where a template has none", () => {
  const typesOf = (content: TemplateContent) => {
    const records = expandTemplate(content, new Map(Object.entries(samples)), {
      zone,
      policy,
      fieldOf: (name) => name,
    });
    return records.map(({ type }) => type).join(" ");
  };
  expect(typesOf(template("www A ${ipv4}"))).toBe("SOA NS NS A");
  expect(typesOf(template("${zone} ns ns9.example.net."))).toBe("SOA ns");
  const own = template("@ SOA ${nameServer} ${hostmaster} 0 1 2 3 4", "sub NS ns9.example.net.");
  expect(typesOf(own)).toBe("NS NS SOA NS");
});

test.each([
  ["a lone dollar sign", '@ TXT "costs $5"', "rdata", /write \$\$ for a dollar sign/],
  ["a brace that is open", '@ TXT "${text"', "rdata", /write \$\$/],
  ["a variable that is none", "@ A ${nothing}", "rdata", /no variable of the template/],
  ["a property of objects", "@ A ${toString}", "rdata", /no variable of the template/],
  ["a TEXT outside of quotes", "@ TXT ${text}", "rdata", /between quotes/],
  ["a TEXT in an owner", "${text} A 192.0.2.1", "owner", /between quotes/],
  ["a serial outside of a SOA", '@ TXT "${serial}"', "rdata", /of an SOA alone/],
  ["a quote within a word", '@ TXT x"${text}"', "rdata", /within a word/],
  ["a quote that is open", '@ TXT "${text}', "rdata", /open at the end/],
])("a record is refused: %s", (_, record, field, message) => {
  expect(reasonOf(() => expanded(template(record)))).toEqual([
    "INVALID_VALUE",
    `records.0.${field}`,
    expect.stringMatching(message),
  ]);
});

test.each<[keyof typeof samples, readonly string[]]>([
  ["ipv4", ["", "192.0.2", "192.0.2.01", "::1", "192.0.2.1 ", "192.0.2.1\nwww"]],
  ["ipv6", ["", "fe80::1%eth0", "192.0.2.1", "2001:db8::1::"]],
  ["integer", ["", "-1", "01", "1.5", "4294967296", "1e3"]],
  ["name", ["", "a..b", "mail.example.net", "a b", 'a"b', "a;b", "(a)", "x".repeat(64)]],
  ["text", ["a\nb", "a\u0000", "x".repeat(2001)]],
])("a value of %s has its form", (name, wrong) => {
  const content = template("a A ${ipv4}", "b AAAA ${ipv6}", "c MX 1 ${name}", 'd TXT "${text} ${integer}"');
  for (const value of wrong)
    expect([value, reasonOf(() => expanded(content, { [name]: value })).slice(0, 2)]).toEqual([
      value,
      ["INVALID_VALUE", name],
    ]);
});

describe("the values that are given", () => {
  const content = {
    ...template("@ A ${ipv4}"),
    variables: [
      { name: "ipv4", kind: "IPV4", description: "", default: null },
      { name: "text", kind: "TEXT", description: "", default: "usual" },
    ],
  } as TemplateContent;

  test("take the place of defaults", () => {
    const values = valuesOf(content, [{ name: "ipv4", value: "192.0.2.1" }]);
    expect(Object.fromEntries(values)).toEqual({ text: "usual", ipv4: "192.0.2.1" });
  });

  test.each([
    ["a name that is none", [{ name: "ipv6", value: "::1" }], "INVALID_VALUE", "variables.0.name"],
    ["a name twice", ["a", "b"].map((value) => ({ name: "text", value })), "INVALID_VALUE", "variables.1.name"],
    ["none for a variable without a default", [{ name: "text", value: "a" }], "MISSING_FIELD", "variables"],
  ])("are refused: %s", (_, given, code, field) => {
    expect(reasonOf(() => valuesOf(content, given)).slice(0, 2)).toEqual([code, field]);
  });
});

/** Values that are hostile to a parser, and any others. */
const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', "\\", " ", ";", "(", ")", "\n", "$", "{", "}", "@", ".", "0", "9", "a", "é", "\\000"),
    maxLength: 20,
  }),
  fc.constantFrom(
    ...Object.values(samples),
    ...["${zone}", '" 300 IN A 192.0.2.9', "\\", '\\"', "a.example.com.", "*", "."],
  ),
);

test("any values make the template's records and no others, and a text stays what it is", () => {
  const content = template(
    'a TXT "${text}" "x ${name} ${integer}"',
    "b MX ${integer} ${name}",
    "c A ${ipv4}",
    "d AAAA ${ipv6}",
    'e CAA 0 issue "ca.example;${text}"',
    "f SRV ${integer} 0 1 ${name}",
  );
  const shape = content.records.map(({ owner, type }) => `${owner} ${type}`);
  let made = 0;
  fc.assert(
    fc.property(fc.record({ ipv4: value, ipv6: value, name: value, text: value, integer: value }), (values) => {
      // One hostile value at a time is seen where the others are refused.
      for (const sent of [values, ...Object.entries(values).map((each) => Object.fromEntries([each]))]) {
        let lines: string[];
        try {
          lines = expanded(content, sent);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          continue;
        }
        made += 1;
        expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(shape);
        const text = (sent.text ?? samples.text).toWellFormed();
        expect(decoded(String(lines[0]).slice("a TXT ".length))).toBe(text);
      }
    }),
    { numRuns: 1000 },
  );
  expect(made).toBeGreaterThan(1000);
});

/** The first quoted string of a text in master-file form, its strings joined where they were split at 255 octets. */
function decoded(text: string): string {
  const [, inside = ""] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  const octets = inside.replaceAll(
    /\\(\d{3})|\\(.)/g,
    (_, code, character) => character ?? String.fromCharCode(Number(code)),
  );
  return Buffer.from(octets, "latin1").toString();
}
