/**
 * The zones of an `import`: those of a folder by the names of its files, or the primary zones of a named.conf of BIND and its included
 * files. Limitation: of named.conf only `options { directory; dnssec-policy }`, `include`, `view` and `zone` are read.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

export interface ZoneSource {
  readonly zone: string;
  readonly file: string;
  readonly warning?: string;
}

/** The zones to import, and those that are skipped, each with the reason. */
export interface ZoneSources {
  readonly sources: readonly ZoneSource[];
  readonly skipped: readonly string[];
}

export const isArchive = (file: string) => /\.(tar\.gz|tgz)$/i.test(file);

/** Keys, settings, journals, and the copies that editors, packages and people leave. */
const otherFiles =
  /(~|\.(conf|json|key|private|jnl|jbk|signed|md|bak|orig|old|new|save|swp|rpm\w+|dpkg-\w+|zone\.txt))$/i;

/** The zone in the name of a file, such as `example.com.zone` or `db.example.com`; undefined for other names. */
export function zoneOfFileName(file: string): string | undefined {
  const name = basename(file);
  const zone = name.replace(/\.(zone|db|txt|dns|hosts)$/i, "").replace(/^db\./i, "");
  return zone.includes(".") && !zone.startsWith(".") && !otherFiles.test(name) ? zone : undefined;
}

export async function zonesOfFolder(folder: string): Promise<ZoneSources> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sources: ZoneSource[] = [];
  const skipped: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const zone = entry.isFile() ? zoneOfFileName(entry.name) : undefined;
    if (zone !== undefined) sources.push({ zone, file: join(folder, entry.name) });
    else skipped.push(`${entry.name}: ${entry.isFile() ? "its name is not that of a zone" : "it is no file"}`);
  }
  return { sources, skipped };
}

interface Statement {
  readonly words: readonly string[];
  readonly block: readonly Statement[] | undefined;
}

const signedByBind =
  "BIND signs the zone, and its file has neither keys nor signatures: while the parent zone has a DS, resolvers refuse the unsigned zone. " +
  "Have it signed by a secondary with the keys of BIND, or the DS removed before.";

/** Zones that every name server has for itself (RFC 6303). */
const localZones = /^(localhost|localdomain|(0|127|255)\.in-addr\.arpa|0\.0\.127\.in-addr\.arpa|\.)$/;

export async function zonesOfNamedConf(path: string): Promise<ZoneSources> {
  const sources = new Map<string, ZoneSource>();
  const skipped: string[] = [];
  let directory = dirname(path);
  let policy: string | undefined;
  const fileAt = (file: string) => {
    const [inDirectory, beside] = [resolve(directory, file), resolve(dirname(path), file)];
    return !existsSync(inDirectory) && existsSync(beside) ? beside : inDirectory;
  };
  const isSigned = (block: readonly Statement[]) =>
    !/^(none|insecure)$/.test(valueIn(block, "dnssec-policy") ?? policy ?? "none") ||
    valueIn(block, "auto-dnssec") === "maintain";
  const readZone = (zone: string, block: readonly Statement[]) => {
    const [type = "missing", file] = [valueIn(block, "type"), valueIn(block, "file")];
    if (localZones.test(zone)) skipped.push(`${zone}: every name server has it for itself`);
    else if (type !== "primary" && type !== "master") skipped.push(`${zone}: its type is ${type}, not primary`);
    else if (file === undefined) skipped.push(`${zone}: it has no file`);
    else if (sources.has(zone)) skipped.push(`${zone}: it is there twice, as in several views; the first was taken`);
    else sources.set(zone, { zone, file: fileAt(file), ...(isSigned(block) && { warning: signedByBind }) });
  };
  const read = async (statements: readonly Statement[]) => {
    for (const { words, block } of statements) {
      const [keyword, name = ""] = words;
      if (keyword === "options") {
        directory = resolve(dirname(path), valueIn(block, "directory") ?? directory);
        policy = valueIn(block, "dnssec-policy");
      } else if (keyword === "include") await read(parseNamedConf(await readFile(fileAt(name), "utf8")));
      else if (keyword === "view") await read(block ?? []);
      else if (keyword === "zone") readZone(name.toLowerCase().replace(/(?<=.)\.$/, ""), block ?? []);
    }
  };
  await read(parseNamedConf(await readFile(path, "utf8")));
  return { sources: [...sources.values()], skipped };
}

const valueIn = (block: readonly Statement[] | undefined, name: string) =>
  block?.find(({ words }) => words[0] === name)?.words[1];

/** Parses named.conf into statements; throws a sentence when a brace is not closed. */
function parseNamedConf(text: string): readonly Statement[] {
  const tokens = text.matchAll(/\/\*.*?\*\/|(?:\/\/|#)[^\n]*|"((?:[^"\\]|\\.)*)"|[{};]|[^\s{};"]+/gs);
  const root: Statement[] = [];
  const open: Statement[][] = [root];
  let words: string[] = [];
  for (const [token, quoted] of tokens) {
    const statements = open.at(-1) as Statement[];
    if (/^(?:\/\*|\/\/|#)/.test(token)) continue;
    if (token === "{") {
      const block: Statement[] = [];
      statements.push({ words, block });
      open.push(block);
      words = [];
    } else if (token === "}") {
      if (open.length > 1) open.pop();
      words = [];
    } else if (token === ";") {
      if (words.length > 0) statements.push({ words, block: undefined });
      words = [];
    } else words.push(quoted ?? token);
  }
  if (open.length > 1)
    throw new Error("A brace is not closed in the configuration of BIND; check it with named-checkconf.");
  return root;
}
