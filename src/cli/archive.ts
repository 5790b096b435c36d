/**
 * All zones as master files with a manifest of their owners, labels and notes, as a folder or as a .tar.gz: `export --all`, and what `import`
 * reads of it. Zones that are equal give equal bytes. Limitation: one zone at a time is held in memory.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { formatName as backupName } from "../backup/manifest.ts";
import { bytesOf } from "../backup/read-backup.ts";
import { type Entry, endOfArchive, entriesOf, entryBytes } from "../backup/tar.ts";
import { makeFolder } from "../make-folder.ts";
import { notWritten, wholeFile } from "../whole-file.ts";
import { notesDocument } from "./command-rows/annotations.ts";
import { allOf, callGraphql, callRest, type DataOf, type Endpoint, pageInfo, pagesOf } from "./service/client.ts";
import type { Progress } from "./terminal/progress.ts";
import { isArchive } from "./zone-sources.ts";

const manifestName = "zonesmith-export.json";

export const describedZonesDocument = `query ($after: String) { domains(first: 100, after: $after) {
  totalCount nodes { zone user { email } labels { name value }
    notes(first: 50) { nodes { owner type text } pageInfo { hasNextPage } } } ${pageInfo} } }` as const;
type Described = DataOf<typeof describedZonesDocument>["domains"]["nodes"][number];

/** A zone in the manifest. */
export interface ArchivedZone extends Pick<Described, "zone" | "labels"> {
  readonly file: string;
  /** The e-mail address of its owner. */
  readonly user: string;
  readonly notes: Described["notes"]["nodes"];
}

/** Writes all zones that the key sees, and returns their number. */
export async function exportAll(endpoint: Endpoint, target: string, show: Progress["show"]): Promise<number> {
  let count = 0;
  const files = exportedFiles(endpoint, (done, of) => {
    count = done;
    show(`${done} of ${of} zones`, done / of);
  });
  await (isArchive(target) ? writeArchive(target, files) : writeFolder(target, files));
  return count;
}

/** The files of all zones, and the manifest last. */
async function* exportedFiles(endpoint: Endpoint, onZone: (done: number, of: number) => void): AsyncGenerator<Entry> {
  const lines: string[] = [];
  for await (const { data, nodes } of pagesOf(endpoint, describedZonesDocument, ({ domains }) => domains, {}))
    for (const { zone, user, labels, notes } of nodes) {
      const response = await callRest(endpoint, "GET", `/domain/zonefile/${encodeURIComponent(zone)}`);
      const file = fileOf(zone);
      yield { name: file, content: Buffer.from(await response.arrayBuffer()) };
      const described: ArchivedZone = {
        zone,
        file,
        user: user.email,
        labels,
        notes: notes.pageInfo.hasNextPage ? await allNotes(endpoint, zone) : notes.nodes,
      };
      lines.push(JSON.stringify(described));
      onZone(lines.length, data.domains.totalCount);
    }
  yield { name: manifestName, content: Buffer.from(`{"format":1,"zones":[\n${lines.join(",\n")}\n]}\n`) };
}

/** The name of a zone's file: short enough for an archive, and without characters that a file system takes for others. */
function fileOf(zone: string): string {
  const name = encodeURIComponent(zone).replaceAll("*", "%2A");
  return `${name.length <= 90 ? name : createHash("sha256").update(zone).digest("hex")}.zone`;
}

async function allNotes(endpoint: Endpoint, zone: string): Promise<ArchivedZone["notes"]> {
  const notes = await allOf(pagesOf(endpoint, notesDocument, ({ domain }) => domain.notes, { zone }));
  return notes.map(({ owner, type, text }) => ({ owner, type, text }));
}

function writeArchive(file: string, files: AsyncIterable<Entry>): Promise<void> {
  async function* archive(): AsyncGenerator<Buffer> {
    for await (const entry of files) yield entryBytes(entry, 0);
    yield endOfArchive;
  }
  return wholeFile(file, "The archive", (target) =>
    pipeline(Readable.from(archive(), { objectMode: false }), createGzip(), target),
  );
}

/** Writes the files into a folder of their own first, so that an export that fails leaves the folder as it was. */
async function writeFolder(folder: string, files: AsyncIterable<Entry>): Promise<void> {
  const former = await formerFiles(folder);
  const partial = join(folder, ".zonesmith-export.partial");
  try {
    makeFolder(folder);
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial);
    const names = new Set<string>();
    for await (const { name, content } of files) {
      await writeFile(join(partial, name), content);
      names.add(name);
    }
    for (const name of names) await rename(join(partial, name), join(folder, name));
    for (const name of former) if (!names.has(name)) await rm(join(folder, name), { force: true });
  } catch (error) {
    throw notWritten(error, `The export cannot be written to ${folder}`, "write a folder of yours, with space");
  } finally {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
  }
}

/** The files of the earlier export in a folder; throws when it has other files. Hidden files, such as .git, may be in it. */
async function formerFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new Error(`${folder} cannot be read (${error.code}); write a folder, or a file whose name ends in .tar.gz.`);
  });
  const zones = await archivedZones(folder);
  if (zones) return zones.map(({ file }) => basename(file));
  if (names.every((name) => name.startsWith("."))) return [];
  throw new Error(`${folder} has other files than those of an earlier export; write another folder.`);
}

/** The zones in the manifest of a folder; undefined when it has no manifest. */
export async function archivedZones(folder: string): Promise<readonly ArchivedZone[] | undefined> {
  const path = join(folder, manifestName);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw new Error(`${path} cannot be read (${error.code}).`);
  });
  if (text === undefined) return undefined;
  const { format, zones } = parsed(text);
  if (format === 1 && Array.isArray(zones)) return zones as ArchivedZone[];
  throw new Error(`${path} is no manifest of format 1; write it again: zonesmith export --all.`);
}

function parsed(text: string): { readonly format?: unknown; readonly zones?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Runs with the files of an archive in a temporary folder. */
export async function withUnpacked(file: string, run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "zonesmith-import-"));
  try {
    for await (const { name, content } of entriesOf(bytesOf(file, () => {}))) {
      if (name === backupName) throw new Error("it is a backup; zonesmith restore restores it");
      if (!name.endsWith("/")) await writeFile(join(folder, basename(name)), content);
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`${file} cannot be imported: ${(error as Error).message}.`);
  }
  await run(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

export const annotationsDocument = `query ($zone: String!) { domain(by: { zone: $zone }) {
  labels { name value } notes(first: 1000) { nodes { owner type text } } } }`;
export const setLabelsDocument =
  "mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { id } } }";
export const setNoteDocument = "mutation ($input: SetNoteInput!) { setNote(input: $input) { note { text } } }";

/** Adds the labels and notes of an archive to a zone, and leaves its others. */
export async function annotate(endpoint: Endpoint, { zone, labels, notes }: ArchivedZone): Promise<void> {
  if (labels.length === 0 && notes.length === 0) return;
  const { domain } = await callGraphql(endpoint, annotationsDocument, { zone });
  const values = new Map(domain.labels.map(({ name, value }) => [name, value]));
  if (labels.some(({ name, value }) => values.get(name) !== value)) {
    for (const { name, value } of labels) values.set(name, value);
    const all = [...values].map(([name, value]) => ({ name, value }));
    await callGraphql(endpoint, setLabelsDocument, { input: { by: { zone }, labels: all } });
  }
  const keyOf = ({ owner, type, text }: ArchivedZone["notes"][number]) => JSON.stringify([owner, type, text]);
  const present = new Set(domain.notes.nodes.map(keyOf));
  for (const { owner, type, text } of notes)
    if (!present.has(keyOf({ owner, type, text })))
      await callGraphql(endpoint, setNoteDocument, { input: { zone, owner, type, text } });
}
