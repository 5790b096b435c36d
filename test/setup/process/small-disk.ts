/**
 * A disk of its own for one database of the test's PostgreSQL: a tablespace on a file system in memory, which takes root's right to mount
 * and a PostgreSQL on this machine.
 */
import { chmodSync, chownSync, statSync } from "node:fs";
import { basename } from "node:path";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { dropDatabase, onServer, query } from "../database/database.ts";
import { Disk } from "./disk.ts";

export class SmallDisk {
  readonly #disk: Disk;
  readonly #tablespace: string;
  readonly #databaseUrl: string;

  private constructor(disk: Disk, databaseUrl: string) {
    this.#disk = disk;
    this.#databaseUrl = databaseUrl;
    this.#tablespace = basename(disk.folder).toLowerCase().replaceAll("-", "_");
  }

  /** Whether this process may mount a disk, and PostgreSQL is one of the tests' own. */
  static isPossible(): boolean {
    if (process.env.DATABASE_URL) return false;
    const disk = Disk.mount(temporaryFolder());
    disk?.unmount();
    return disk !== undefined;
  }

  /** Mounts a disk and moves the database at a URL to it. */
  static async under(databaseUrl: string): Promise<SmallDisk> {
    const statement = "select current_setting('data_directory') as folder, current_database() as name";
    const [row] = await query<{ folder: string; name: string }>(databaseUrl, statement);
    const mounted = Disk.mount(temporaryFolder());
    if (!mounted || !row) throw new Error("a disk cannot be mounted");
    const disk = new SmallDisk(mounted, databaseUrl);
    const { uid, gid } = statSync(row.folder);
    chownSync(mounted.folder, uid, gid);
    chmodSync(mounted.folder, 0o700);
    await onServer(`create tablespace ${disk.#tablespace} location '${mounted.folder}'`);
    await onServer(`alter database ${row.name} set tablespace ${disk.#tablespace}`);
    return disk;
  }

  fill(): void {
    this.#disk.fill();
  }

  free(): void {
    this.#disk.free();
  }

  /** Drops its database, and takes the disk away. */
  async remove(): Promise<void> {
    await dropDatabase(this.#databaseUrl);
    await onServer(`drop tablespace ${this.#tablespace}`);
    this.#disk.unmount();
  }
}
