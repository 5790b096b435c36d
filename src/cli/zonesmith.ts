#!/usr/bin/env -S node --max-semi-space-size=32 --heap-growing-percent=50
/**
 * The `zonesmith` command. The flags of V8 in the first line keep memory that is no longer in use small: new objects take 64 MB and not
 * 128, and the others are collected when they have grown by a half and not to their fourfold (bench/README.md, fairness).
 */
import { runCommand } from "./commands.ts";

// In development graphql-js also checks that its types come from one copy of the library.
process.env.NODE_ENV ??= "production";
await runCommand(process.argv);
