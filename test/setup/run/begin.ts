/**
 * Before a run: a folder for everything that its tests put into files. The suite `unit` needs nothing else; begin-with-database.ts is for
 * the others.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default async function begin(): Promise<void> {
  if (process.env.TEST_RUN_FOLDER) return;
  // Servers that run as an account of their own have files in it; sockets in it need a short path.
  const folder = mkdtempSync(join(tmpdir(), "zt-"));
  chmodSync(folder, 0o755);
  process.env.TEST_RUN_FOLDER = folder;
  // A run that is broken off, or that does not begin, leaves nothing behind either: PostgreSQL ends with this process.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => process.exit(code));
}
