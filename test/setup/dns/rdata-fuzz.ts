/*
 * Mutated input, thrown at every way in: it is taken or Malformed, never anything else, and what is taken is stable.
 * Runs alone too: `node test/setup/dns/rdata-fuzz.ts [times] [seed]`, a million times by default.
 */
import { Malformed } from "../../../src/dns/malformed.ts";
import { MasterFileReader } from "../../../src/dns/master-file/parser.ts";
import { nameText, parseName, parseOwner, parseZoneName, unicodeName, zoneNameWire } from "../../../src/dns/name.ts";
import {
  canonicalRdata,
  checkRdata,
  parseRdata,
  printRdata,
  rdataFields,
  rdataNames,
} from "../../../src/dns/rdata/rdata.ts";
import { type RecordType, recordType, recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { type NameVector, type RdataVector, readVectors } from "../../vectors/read-vectors.ts";
import { Random } from "../basics/random.ts";

const origin = zoneNameWire("example.com");
const pieces = [
  ...'"\\;()@$=,.:/-+!{}[]%*?^|# \t\n\r\0\x7f0123456789abcfxzé中\u200b\ud800',
  ...["\\000", "\\256", "255", "65536", "4294967296", "key", "TYPE", "\\#", "xn--", "::", '""', "1h"],
];

/** Numbers from 0 to below a limit, which a seed decides. */
export function randomFrom(seed: number): (below: number) => number {
  const random = new Random(seed);
  return (below) => Math.floor(random.next() * below);
}

const seeds = [
  ...recordTypes.map(({ example }) => example),
  ...readVectors<RdataVector>("rdata.jsonl").map(({ rdata }) => rdata),
  ...readVectors<NameVector>("names.jsonl").map(({ name }) => name),
];
const wires = recordTypes.map((type) => ({
  type,
  wire: parseRdata(type, type.example, { origin, context: "master" }),
}));

function mutateText(random: (below: number) => number): string {
  let text = seeds[random(seeds.length)] ?? "";
  for (let i = random(4); i >= 0; i -= 1) {
    const at = random(text.length + 1);
    const length = random(6);
    const other = seeds[random(seeds.length)] ?? "";
    const repeated = text.slice(at, at + length).repeat(random(20));
    const inserted = [pieces[random(pieces.length)], "", other.slice(random(other.length + 1)), repeated][random(4)];
    text = text.slice(0, at) + inserted + text.slice(at + (random(2) === 0 ? 0 : length));
  }
  return text;
}

function mutateWire(wire: Uint8Array, random: (below: number) => number): Uint8Array {
  const mutated = [...wire];
  for (let i = random(4); i >= 0; i -= 1)
    mutated.splice(random(mutated.length + 1), random(3), ...Array.from({ length: random(4) }, () => random(256)));
  return Uint8Array.from(mutated);
}

/** Runs `use`, letting nothing but Malformed pass; says what the input was. */
function guard(input: unknown, use: () => void): void {
  try {
    use();
  } catch (error) {
    if (!(error instanceof Malformed)) throw new Error(`${error} for ${JSON.stringify(input)}`, { cause: error });
    if (error.message.length > 500)
      throw new Error(`a message of ${error.message.length} characters for ${JSON.stringify(input)}`);
  }
}

/** Accepted wire passes its check, prints, and reads back the same in either context. */
export function expectStable(type: RecordType, wire: Uint8Array): void {
  try {
    checkRdata(type, wire);
    checkRdata(type, canonicalRdata(type, wire));
    rdataFields(type, wire);
    rdataNames(type, wire);
    const text = printRdata(type, wire);
    for (const context of ["field", "master"] as const) {
      const again = parseRdata(type, text, { origin, context });
      const tidied = type.mnemonic === "CAA" && context === "field";
      if (!tidied && Buffer.compare(wire, again) !== 0)
        throw new Error(`${type.mnemonic} ${text} reads back differently`);
    }
  } catch (error) {
    throw new Error(`${type.mnemonic} ${Buffer.from(wire).toString("hex")} is taken but not stable: ${error}`, {
      cause: error,
    });
  }
}

function fuzzText(random: (below: number) => number): void {
  const text = mutateText(random);
  const type = recordTypes[random(recordTypes.length)];
  const context = random(2) === 0 ? "field" : "master";
  guard([type?.mnemonic, context, text], () => type && expectStable(type, parseRdata(type, text, { origin, context })));
  guard(text, () => recordType(text));
  guard(text, () => {
    const reader = new MasterFileReader({ origin, defaultTtl: 60 });
    for (const item of [...reader.push(`a ${type?.mnemonic} ${text}\n${text}`), ...reader.end()])
      if ("wire" in item) expectStable(item.type, item.wire);
  });
  guard(text, () => parseOwner(parseOwner(text, "example.com"), "example.com"));
  guard(text, () => {
    const zone = parseZoneName(text);
    if (parseZoneName(unicodeName(zone)) !== zone) throw new Error(`${zone} does not come back from Unicode`);
  });
  guard(text, () => {
    const name = parseName(text, origin);
    if (Buffer.compare(name, parseName(nameText(name))) !== 0) throw new Error("a name reads back differently");
  });
}

function fuzzWire(random: (below: number) => number): void {
  const seed = wires[random(wires.length)];
  if (seed === undefined) return;
  const wire = mutateWire(seed.wire, random);
  let taken = false;
  guard([seed.type.mnemonic, Buffer.from(wire).toString("hex")], () => {
    checkRdata(seed.type, wire);
    taken = true;
  });
  if (taken) expectStable(seed.type, wire);
}

/** Throws on the first input that is neither taken and stable nor Malformed. */
export function fuzz(times: number, seed: number): void {
  const random = randomFrom(seed);
  for (let i = 0; i < times; i += 1) (random(3) === 0 ? fuzzWire : fuzzText)(random);
}

if (process.argv[1] === import.meta.filename) {
  const [times = "1000000", seed = String(Date.now() % 2 ** 32)] = process.argv.slice(2);
  const start = performance.now();
  fuzz(Number(times), Number(seed));
  console.log(
    `${times} inputs, seed ${seed}, ${((performance.now() - start) / 1000).toFixed(1)} s: taken or Malformed`,
  );
}
