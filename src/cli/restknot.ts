/**
 * Users, zones and records of a RESTKnot by its REST interface, for `import restknot`. Limitation: all of them are held in memory until they
 * are imported.
 */
import { readFile } from "node:fs/promises";
import { quotedText, splitStrings } from "../dns/fields/character-string.ts";
import { zoneNameWire } from "../dns/name.ts";
import { parseRdata, printRdata } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { wholeFile } from "../whole-file.ts";
import { type MasterFile, RecordLines } from "./master-files.ts";
import { type Endpoint, pageInfo, pagesOf, RefusedError } from "./service/client.ts";
import { userIdOrNew } from "./service/identify.ts";

interface Source {
  readonly url: string;
  readonly key: string;
}

interface OldUser {
  readonly id: string;
  readonly email: string;
}

interface OldZone {
  readonly zone_id: string;
  readonly zone: string;
  readonly records: readonly (OldRecord | null)[];
}

interface OldRecord {
  readonly id: string;
  readonly owner: string;
  readonly type: string;
  readonly ttl: string;
  readonly rdata: string | null;
}

/** A row of the table of ids; `now` is empty for what was not imported. */
type IdRow = readonly [kind: "user" | "zone" | "record", before: string, now: string, name: string];

export interface Restknot {
  readonly zones: readonly MasterFile[];
  /** Creates the users that are missing, also those without a zone. */
  readonly createUsers: () => Promise<void>;
  /** Writes the ids of before, and those of now, of all that was imported. */
  readonly writeIds: (file: string) => Promise<void>;
}

export async function readRestknot(
  endpoint: Endpoint,
  address: string,
  keyFile: string,
  show: (step: string, share?: number) => void,
): Promise<Restknot> {
  const key = (await readFile(keyFile, "utf8").catch(({ code }) => {
    throw new Error(`--key: ${keyFile} cannot be read (${code}); check its path.`);
  })) as string;
  const source = { url: address.replace(/\/+$/, "").replace(/\/api$/, ""), key: key.trim() };
  const rows: IdRow[] = [];
  const zones: MasterFile[] = [];
  const users = await listOf<OldUser>(source, "/user/list");
  for (const [at, { id, email }] of users.entries()) {
    show(`reading ${email}`, at / users.length);
    for (const old of await listOf<OldZone>(source, `/domain/list/user/${id}`))
      zones.push(
        new RecordLines(old.zone, async () => recordsOf(old).map(lineOf), {
          user: email,
          onImported: async () => void rows.push(...(await idsOf(endpoint, old))),
        }),
      );
  }
  return {
    zones,
    createUsers: async () => {
      for (const { id, email } of users)
        try {
          rows.push(["user", id, await userIdOrNew(endpoint, email, false), email]);
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error;
          console.error(`${email}: ${error.message}`);
        }
    },
    writeIds: (file) =>
      wholeFile(file, "The table of ids", async (target) => {
        target.end(["kind\tbefore\tnow\tname", ...rows.map((row) => row.join("\t"))].join("\n").concat("\n"));
      }),
  };
}

/** The rows of a list; RESTKnot answers 404 for a list without rows. */
async function listOf<Item>({ url, key }: Source, path: string): Promise<readonly Item[]> {
  const response = await fetch(`${url}/api${path}`, { headers: { "X-API-Key": key } }).catch((error: Error) => {
    const { code = error.message } = (error.cause ?? {}) as { readonly code?: string };
    throw new Error(`RESTKnot at ${url} cannot be reached (${code}); check the URL.`);
  });
  const text = await response.text();
  const body = parsed(text);
  const { code, message, data } = body;
  if (code === 404 && response.status === 404) return [];
  if (message === "Access denied" || response.status === 401)
    throw new Error(`RESTKnot at ${url} refuses the key; --key is the file of its RESTKNOT_API_KEY.`);
  if (response.ok && Array.isArray(data)) return data;
  throw new Error(
    `${url}/api${path} answered ${response.status} without a list; check the URL, or the log of RESTKnot.`,
  );
}

function parsed(text: string): { readonly code?: number; readonly message?: string; readonly data?: unknown } {
  try {
    // Its ids have more digits than a number of JavaScript holds. Inside a text, quotes are escaped.
    return JSON.parse(text.replace(/("(?:zone_)?id": *)(\d+)/g, '$1"$2"')) ?? {};
  } catch {
    return {};
  }
}

const recordsOf = ({ records }: OldZone) => records.filter((record) => record !== null);

/** RESTKnot stores the text of a TXT, and for any other type what a master file has. */
const dataOf = ({ type, rdata }: OldRecord) =>
  type === "TXT"
    ? splitStrings(Buffer.from(rdata ?? ""))
        .map(quotedText)
        .join(" ")
    : (rdata ?? "").replace(/\s+/g, " ");

const ownerOf = ({ owner }: OldRecord) =>
  owner.replace(/[\s;"()$]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`);

const lineOf = (record: OldRecord) => `${ownerOf(record)} ${record.ttl} ${record.type} ${dataOf(record)}\n`;

export const newIdsDocument = `query ($after: String, $zone: String!) { domain(by: { zone: $zone }) {
  id records(first: 1000, after: $after) { nodes { id owner type rdata } ${pageInfo} } } }` as const;

/** The ids of a zone and its records; the new id of a record that was left out is empty. */
async function idsOf(endpoint: Endpoint, old: OldZone): Promise<IdRow[]> {
  const keyOf = (owner: string, type: string, rdata: string) =>
    type === "SOA" ? type : [owner.toLowerCase(), type, type === "TXT" ? rdata : rdata.toLowerCase()].join(" ");
  const ids = new Map<string, string>();
  let zoneId = "";
  const pages = pagesOf(endpoint, newIdsDocument, ({ domain }) => domain.records, { zone: old.zone });
  for await (const { data, nodes } of pages) {
    zoneId = data.domain.id;
    for (const { id, owner, type, rdata } of nodes) ids.set(keyOf(owner, type, rdata), id);
  }
  const origin = zoneNameWire(old.zone.toLowerCase());
  const newIdOf = (record: OldRecord) => {
    try {
      const type = recordType(record.type);
      const wire = parseRdata(type, dataOf(record), { origin, context: "master" });
      return ids.get(keyOf(ownerOf(record), type.mnemonic, printRdata(type, wire))) ?? "";
    } catch {
      return "";
    }
  };
  const records = recordsOf(old).map((record): IdRow => {
    const { id, owner, type } = record;
    return ["record", id, newIdOf(record), `${owner} ${type} ${old.zone}`];
  });
  return [["zone", old.zone_id, zoneId, old.zone], ...records];
}
