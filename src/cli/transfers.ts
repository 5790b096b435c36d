/**
 * What a name server transfers to the command line (AXFR, RFC 5936): zones as master files, and the members of a catalog zone (RFC 9432).
 * Limitation: a zone is held in memory until it is sent on, so that one that breaks off is not imported in part.
 */
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { ResourceRecord } from "../dns/message/message-reader.ts";
import { isTsigAlgorithm, tsigAlgorithms } from "../dns/message/tsig.ts";
import { isWithin, nameText, parseName, parseZoneName, zoneNameText, zoneNameWire } from "../dns/name.ts";
import { printRdata } from "../dns/rdata/rdata.ts";
import { recordTypeByCode, signingTypes } from "../dns/rdata/record-type-registry.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { TransferRefused, type TransferSource, transferZone } from "../publisher/packets/zone-transfer.ts";
import { RecordLines } from "./master-files.ts";

/** Whether signing adds records of this type. */
export const isSigning = (type: string) => signingTypes.includes(type);

/** Types that PowerDNS resolves by itself, so that no other server has a use for them. */
const typesOfPowerdns: ReadonlyMap<number, string> = new Map([
  [65401, "ALIAS"],
  [65402, "LUA"],
]);

/** The limits of one transfer: octets, and ms. */
const limits = { octets: 2 ** 31, ms: 3_600_000 };

export type NameServer = TransferSource & { readonly text: string };

/** `text` is an address or a name, with a port or without; `keyFile` has the TSIG key. Throws a sentence. */
export async function nameServerOf(option: string, text: string, keyFile: string | undefined): Promise<NameServer> {
  const [, address = text, port = "53"] = (isIP(text) ? null : /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text)) ?? [];
  if ((!isIP(address) && !/^[a-z0-9.-]+$/i.test(address)) || Number(port) > 65535)
    throw new Error(
      `${option}: write the address of a name server, such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:53.`,
    );
  const key = keyFile === undefined ? undefined : await keyIn(keyFile);
  return { text, address, port: Number(port), key, keyError: undefined };
}

/** Reads a key as tsig-keygen or named.conf has it, or as `keymgr -t` and dig write it: algorithm:name:secret. */
async function keyIn(file: string): Promise<NonNullable<TransferSource["key"]>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    // It may be the key itself.
    if (file.includes(":")) throw new Error("--tsig: write the key into a file, and the file's name here.");
    throw new Error(`--tsig: ${file} cannot be read (${error.code}); check its path.`);
  });
  const [, quoted, block = ""] = /\bkey\s+"?([^"\s{]+)"?\s*\{([^}]*)\}/.exec(text) ?? [];
  const setting = (name: string) => new RegExp(`\\b${name}\\s+"?([^"\\s;]+)`).exec(block)?.[1];
  const [, short, shortName, shortSecret] = /(hmac-[\w.-]+):([^:\s]+):([A-Za-z0-9+/=]+)/i.exec(text) ?? [];
  const [name, algorithm, secret] =
    quoted === undefined ? [shortName, short, shortSecret] : [quoted, setting("algorithm"), setting("secret")];
  if (name === undefined || algorithm === undefined || secret === undefined)
    throw new Error(`--tsig: ${file} holds no key; write one as tsig-keygen prints it, or as hmac-sha256:name:secret.`);
  const algorithmName = algorithm.toLowerCase().replace(/\.$/, "");
  if (!isTsigAlgorithm(algorithmName))
    throw new Error(`--tsig: ${algorithm} is unknown; use ${Object.keys(tsigAlgorithms).join(", ")}.`);
  return { name: parseZoneName(name), algorithm: algorithmName, secret: Buffer.from(secret, "base64") };
}

/** Throws a sentence that names the server. */
async function transfer(server: NameServer, zone: string, onRecord: (record: ResourceRecord) => void): Promise<void> {
  const taker = {
    ...limits,
    onRecord: (record: ResourceRecord) => {
      onRecord(record);
      return true;
    },
  };
  const name = parseZoneName(zone);
  try {
    await transferZone(server, name, async () => taker, new AbortController().signal);
  } catch (error) {
    const isRefused = error instanceof TransferRefused && !error.mayPass;
    const remedy = isRefused ? "; check the name, the server's list of who may transfer, and --tsig" : "";
    throw new Error(`${server.text}: ${(error as Error).message}${remedy}.`, { cause: error });
  }
}

/** The lines of the zone's master file. The SOA that ends the transfer is left out. */
async function transferredLines(server: NameServer, zone: string): Promise<string[]> {
  const lines: string[] = [];
  await transfer(server, zone, ({ name, ttl, type, rdata }) => {
    if (type === TypeCode.SOA && lines.length > 0) return;
    const row = recordTypeByCode(type);
    const mnemonic = typesOfPowerdns.get(type) ?? row.mnemonic;
    lines.push(`${nameText(name)} ${ttl} IN ${mnemonic} ${printRdata(row, rdata)}\n`);
  });
  return lines;
}

export const transferredZone = (server: NameServer, zone: string) =>
  new RecordLines(zone, () => transferredLines(server, zone));

/** The zones of a catalog (RFC 9432 §4.1), in the order of names. */
export async function membersOf(server: NameServer, catalog: string): Promise<string[]> {
  const owners = parseName("zones", zoneNameWire(parseZoneName(catalog)));
  const members: string[] = [];
  await transfer(server, catalog, ({ name, type, rdata }) => {
    if (type === TypeCode.PTR && isWithin(name, owners)) members.push(zoneNameText(rdata));
  });
  return members.toSorted();
}
