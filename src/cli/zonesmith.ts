#!/usr/bin/env node
/** The `zonesmith` command. */
import { runCommand } from "./commands.ts";

// In development graphql-js also checks that its types come from one copy of the library.
process.env.NODE_ENV ??= "production";
await runCommand(process.argv);
