/**
 * Writes dist/build-info.json, which `zonesmith --version` prints: the package's version and the commit that was built. The commit is
 * COMMIT where the build has no git checkout (a container image), otherwise that of the checkout; `unknown` where there is neither.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** The commit of the checkout, 12 digits, with `-dirty` when tracked files differ from it. */
function checkedOut(): string | undefined {
  // A source archive unpacked inside another project's checkout must not take that project's commit.
  if (!existsSync(join(root, ".git"))) return undefined;
  try {
    const describe = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    return execFileSync("git", describe, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const commit = process.env.COMMIT || checkedOut() || "unknown";
writeFileSync(join(root, "dist/build-info.json"), `${JSON.stringify({ version, commit })}\n`);
