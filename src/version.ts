/** Which release runs, and from which commit it was built. The build writes both into dist/build-info.json. */
import { readFileSync } from "node:fs";

const unknown = { version: "unknown", commit: "unknown" };

/** The release and the commit; `unknown` when they are not known, as in a service that was not built. */
export function buildInfo(): { readonly version: string; readonly commit: string } {
  try {
    return JSON.parse(readFileSync(new URL("../build-info.json", import.meta.url), "utf8"));
  } catch {
    return unknown;
  }
}

/** The version and the commit, such as `1.0.0 (commit 536c262b1d3f)`, or `unknown`. */
export function version(): string {
  const { version, commit } = buildInfo();
  return version === "unknown" ? version : `${version} (commit ${commit})`;
}

/** Whether this version is a release such as `1.0.0`, or later; false where either is not three numbers. */
export function isAtLeast(least: string): boolean {
  const numbersOf = (text: string) => /^(\d+)\.(\d+)\.(\d+)(?: |$)/.exec(text)?.slice(1).map(Number);
  const [own, other] = [numbersOf(version()), numbersOf(least)];
  if (!own || !other) return false;
  const at = own.findIndex((number, index) => number !== other[index]);
  return at < 0 || (own[at] as number) > (other[at] as number);
}
