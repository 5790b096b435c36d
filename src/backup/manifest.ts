/**
 * What a backup says of itself, at its end: its version, and of each table how many rows it has and the SHA-256 of its files. With its own checksum, which is the last file, it covers all of the backup but the names of the format.
 */
import { createHash } from "node:crypto";
import type { SequenceState } from "./tables.ts";

/** The first file of a backup, by which it is recognized, and what is in it. */
export const formatName = "zonesmith-backup.txt";
export const formatText = "A backup of Zonesmith, format 1; docs/backup.md says how it is read.\n";

export const manifestName = "manifest.json";
export const checksumName = "manifest.sha256";

/** A table in a backup. */
export interface TableSummary {
  readonly name: string;
  /** Its columns in the order of their values in a row; those that PostgreSQL computes are not among them. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** The length of its files together. */
  readonly bytes: number;
  /** Of its files one after the other, hexadecimal. */
  readonly sha256: string;
}

/** What a backup says of itself. */
export interface Manifest {
  readonly format: 1;
  /** The version of Zonesmith that wrote it. */
  readonly version: string;
  /** When its snapshot was taken. */
  readonly takenAt: string;
  /** The version of PostgreSQL that it was taken from, such as 18.1. */
  readonly postgres: string;
  /** The migrations that had run, by name. */
  readonly migrations: readonly string[];
  /** In the order in which they are loaded: what refers to a table comes after it. */
  readonly tables: readonly TableSummary[];
  readonly sequences: readonly SequenceState[];
  /** How many TSIG secrets are sealed with SECRET_KEY. */
  readonly sealedSecrets: number;
}

/** The folder of a table's files, which are numbered. */
export const fileOf = (table: string, at: number) => `data/${table}/${String(at).padStart(6, "0")}`;

/** The table that a file is of; undefined for another file. */
export const tableOf = (name: string) => /^data\/([^/]+)\/\d{6,}$/.exec(name)?.[1];

export const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** The checksum of a manifest as sha256sum reads it. */
export const checksumLine = (manifest: Buffer) => `${sha256(manifest)}  ${manifestName}\n`;

/** Reads a manifest whose checksum is right; throws what to do when it is of a later format. */
export function readManifest(content: Buffer): Manifest {
  const manifest = JSON.parse(content.toString("utf8")) as Manifest;
  if ((manifest.format as number) === 1) return manifest;
  throw new Error(
    `it is of format ${manifest.format}, and this version reads format 1: restore it with version ${manifest.version} or later`,
  );
}
