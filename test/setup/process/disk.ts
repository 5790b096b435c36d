/**
 * A file system of its own that can be made full and be given space again: a tmpfs whose size is changed. Mounting one takes root's
 * rights.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, statfsSync } from "node:fs";

/** The size that is never reached, bytes; only what is used takes memory. */
const plenty = 3 * 2 ** 30;

const mount = (...words: string[]) => spawnSync("mount", words).status === 0;

export class Disk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Mounts one at a folder; undefined where that is not allowed. */
  static mount(folder: string): Disk | undefined {
    if (!mount("-t", "tmpfs", "-o", `size=${plenty},mode=755`, "tmpfs", folder)) return undefined;
    chmodSync(folder, 0o755);
    return new Disk(folder);
  }

  fill(): void {
    for (let tries = 50; tries > 0; tries -= 1) {
      const { blocks, bfree, bsize } = statfsSync(this.folder);
      if (mount("-o", `remount,size=${(blocks - bfree) * bsize}`, this.folder)) return;
    }
    throw new Error("the disk of the test could not be filled");
  }

  free(): void {
    if (!mount("-o", `remount,size=${plenty}`, this.folder)) throw new Error("the disk of the test stays full");
  }

  unmount(): void {
    spawnSync("umount", ["-l", this.folder]);
  }
}
