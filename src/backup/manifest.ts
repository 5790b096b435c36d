/**
 * The manifest of a backup, which is its second-to-last file. It has the version, and for each table the number of rows and the SHA-256 of
 * the table's files. The last file is the checksum of the manifest. Together they protect all files except the first.
 */
import { createHash } from "node:crypto";
import type { SequenceState } from "./tables.ts";

/** The name and content of the first file of a backup, by which a backup is recognized. */
export const formatName = "zonesmith-backup.txt";
export const formatText = "A backup of Zonesmith, format 1; docs/backup.md says how it is read.\n";

export const manifestName = "manifest.json";
export const checksumName = "manifest.sha256";

export interface TableSummary {
  readonly name: string;
  /** The columns in the order of a row's values, without those that PostgreSQL computes. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  /** The SHA-256 of the table's files, concatenated; hexadecimal. */
  readonly sha256: string;
}

export interface Manifest {
  readonly format: 1;
  readonly version: string;
  readonly takenAt: string;
  /** The version of PostgreSQL of the database, such as 18.1. */
  readonly postgres: string;
  readonly migrations: readonly string[];
  /** The tables in the order of loading: a table comes after the tables that it refers to. */
  readonly tables: readonly TableSummary[];
  readonly sequences: readonly SequenceState[];
  readonly sealedSecrets: number;
}

export const fileOf = (table: string, at: number) => `data/${table}/${String(at).padStart(6, "0")}`;

/** The table of a file; undefined for a file of no table. */
export const tableOf = (name: string) => /^data\/([^/]+)\/\d{6,}$/.exec(name)?.[1];

export const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

export const checksumLine = (manifest: Buffer) => `${sha256(manifest)}  ${manifestName}\n`;

/**
 * Reads a manifest whose checksum was already compared. Throws an error whose message is a sentence when the manifest has a later format.
 */
export function readManifest(content: Buffer): Manifest {
  const manifest = JSON.parse(content.toString("utf8")) as Manifest;
  if ((manifest.format as number) === 1) return manifest;
  throw new Error(
    `it is of format ${manifest.format}, and this version reads format 1: restore it with version ${manifest.version} or later`,
  );
}
