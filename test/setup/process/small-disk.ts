/**
 * A small disk for one database of the test's PostgreSQL: a tablespace on a file system in memory, which takes root's right to mount and
 * a PostgreSQL on this machine.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onServer, query } from "../database/database.ts";

const mount = (folder: string) => spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder]).status === 0;

export class SmallDisk {
  readonly #folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#filler = join(folder, "filler");
  }

  /** Whether this process may mount a disk, and PostgreSQL is one of the tests' own. */
  static isPossible(): boolean {
    if (process.env.DATABASE_URL) return false;
    const folder = mkdtempSync(join(tmpdir(), "zonesmith-disk-"));
    return mount(folder) && spawnSync("umount", [folder]).status === 0;
  }

  /** Mounts a disk and moves the database at a URL to it. */
  static async under(databaseUrl: string): Promise<SmallDisk> {
    const [row] = await query<{ folder: string; name: string }>(
      databaseUrl,
      "select current_setting('data_directory') as folder, current_database() as name",
    );
    const folder = mkdtempSync(join(tmpdir(), "zonesmith-disk-"));
    if (!mount(folder) || !row) throw new Error("a disk cannot be mounted");
    const disk = new SmallDisk(folder);
    const { uid, gid } = statSync(row.folder);
    chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
    await onServer(`create tablespace ${disk.#tablespace} location '${folder}'`);
    await onServer(`alter database ${row.name} set tablespace ${disk.#tablespace}`);
    return disk;
  }

  get #tablespace(): string {
    return basename(this.#folder).toLowerCase().replaceAll("-", "_");
  }

  /** Fills it to the last byte. */
  fill(): void {
    const file = openSync(this.#filler, "w");
    const block = Buffer.alloc(1 << 16);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Frees what `fill` took. */
  free(): void {
    rmSync(this.#filler);
  }

  /** Takes the disk away; no database may be on it any more. */
  async remove(): Promise<void> {
    await onServer(`drop tablespace ${this.#tablespace}`);
    spawnSync("umount", [this.#folder]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
