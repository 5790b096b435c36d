import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own under the system's temporary one, which any account may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonesmith-process-"));
  chmodSync(folder, 0o755);
  return folder;
}
