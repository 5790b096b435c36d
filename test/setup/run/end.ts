/** After a run: the embedded PostgreSQL goes, and the folder of the run with it. A process that is still there fails the run. */
import { rmSync } from "node:fs";
import { endLeft } from "./left-behind.ts";

export default async function end(): Promise<void> {
  const folder = process.env.TEST_RUN_FOLDER;
  if (folder === undefined) return;
  delete process.env.TEST_RUN_FOLDER;
  await globalThis.testPostgres?.stop();
  const left = await endLeft(folder);
  rmSync(folder, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`the tests left processes behind: ${left.join("; ")}`);
}
