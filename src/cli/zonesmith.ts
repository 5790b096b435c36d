#!/usr/bin/env -S node --max-semi-space-size=32 --heap-growing-percent=50
/**
 * The `zonesmith` command. The `node` of a shell may be older than the service needs, so this file runs on any version
 * and starts the one that npm installed with the service when it has to.
 *
 * The flags of V8 in the first line keep memory that is no longer in use small: new objects take 64 MB and not 128, and the others are
 * collected when they have grown by a half and not to their fourfold (bench/README.md, fairness).
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 17)) {
  // In development graphql-js also checks that its types come from one copy of the library.
  process.env.NODE_ENV ??= "production";
  // Stack traces name the files of the source, not those of the build.
  process.setSourceMapsEnabled(true);
  const { runCommand } = await import("./commands.ts");
  await runCommand(process.argv);
} else {
  const node = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}
