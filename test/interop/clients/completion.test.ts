/**
 * Completion in zsh and fish; that in bash is in test/cli.
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { run } from "../../setup/process/command.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const folder = temporaryFolder();

beforeAll(async () => {
  mkdirSync(join(folder, "zone-files"));
  await service.domain("one.example.com", await service.user("complete@example.com"));
});

/** What a shell prints in which the command is on the path. */
function inShell(shell: string, ...lines: string[]): Promise<string> {
  const PATH = `${resolve(import.meta.dirname, "../../../bin")}:${process.env.PATH}`;
  const env = { PATH, HOME: folder, ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  return run(shell, ["-c", lines.join("\n")], { env, cwd: folder });
}

testWith("zsh")("in zsh", async () => {
  const out = await inShell(
    "zsh",
    "compdef() { :; }",
    `_describe() { print -l -- "\${(@P)2}"; }`,
    "_files() { print files; }",
    "source <(zonesmith completion zsh)",
    "words=(zonesmith export on) CURRENT=3 _zonesmith",
    "words=(zonesmith import '') CURRENT=3 _zonesmith",
  );
  expect(out).toBe("one.example.com:zone\nfiles\n");
});

testWith("fish")("in fish", async () => {
  const out = await inShell(
    "fish",
    "zonesmith completion fish | source",
    'complete -C "zonesmith export on"',
    'complete -C "zonesmith import zone-f"',
  );
  // Whether fish describes a folder depends on what else the machine has.
  expect(out.replace(/\tDirectory$/m, "")).toBe("one.example.com\tzone\nzone-files/\n");
});
