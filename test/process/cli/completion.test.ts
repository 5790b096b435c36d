/** Completion, as the shells ask for it and in the shells themselves. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { run } from "../../setup/process/command.ts";
import { asAdministrator, inShell } from "../../setup/process/command-line.ts";
import { runToEnd } from "../../setup/process/process.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const folder = temporaryFolder();
beforeAll(async () => {
  mkdirSync(join(folder, "zone-files"));
  const userId = await service.user("complete@example.com");
  for (const zone of ["one.example.com", "two.example.com"]) await service.domain(zone, userId);
  await service.mutate("createSecondary", { name: "ns1.graz", address: "192.0.2.1", port: 53 }, "secondary { id }");
});

async function complete(line: string): Promise<string[]> {
  const [code, stdout] = await runToEnd(["complete", "--", ...line.split(" ").slice(1)], asAdministrator(service));
  expect(code).toBe(0);
  return stdout.split("\n").slice(0, -1);
}

test.each<[string, unknown[]]>([
  [
    "zonesmith stat",
    ["status\tshow the service, its instances, domains and secondaries, what is late, and what failed last"],
  ],
  ["zonesmith domain sh", [expect.stringMatching(/^show\t/)]],
  ["zonesmith completion ", ["bash\t", "zsh\t", "fish\t"]],
  ["zonesmith secondary config ns1 --server b", ["bind\t"]],
  ["zonesmith domain list --state l", ["live\t", "late\t"]],
  ["zonesmith show t", ["two.example.com\tzone"]],
  ["zonesmith tsig add --for knot --zone o", ["one.example.com\tzone"]],
  ["zonesmith secondary show ", ["ns1.graz\tsecondary"]],
  ["zonesmith secondary add ", []],
  ["zonesmith import ", [":files"]],
  ["zonesmith status --wat", ["--watch\tdraw it again and again"]],
])("%s", async (line, words) => {
  expect(await complete(line)).toEqual(words);
});

test("without a service, or a key, the words of the commands are completed all the same", async () => {
  const ended = await runToEnd(["complete", "--", "show", ""], { ZONESMITH_URL: "http://127.0.0.1:9" });
  expect(ended).toEqual([0, "", ""]);
});

/** What a shell completes after its script was read. */
const completedIn = (shell: string, ...lines: string[]) =>
  run(shell, ["-c", lines.join("\n")], { env: { ...inShell(service), HOME: folder }, cwd: folder });

test("in bash", async () => {
  const words = (line: string) =>
    `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _zonesmith; printf '%s ' "\${COMPREPLY[@]}"; echo`;
  const out = await completedIn(
    "bash",
    "compopt() { :; }",
    "source <(zonesmith completion bash)",
    words("zonesmith record ''"),
    words("zonesmith export on"),
    words("zonesmith import zone-f"),
  );
  expect(out).toBe("list find show add change remove help \none.example.com \nzone-files \n");
  const { stdout } = spawnSync("bash", ["-c", "source <(zonesmith completion bash); complete -p zonesmith"], {
    env: inShell(service),
  });
  expect(String(stdout)).toBe("complete -F _zonesmith zonesmith\n");
});

testWith("zsh")("in zsh", async () => {
  const out = await completedIn(
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
  const out = await completedIn(
    "fish",
    "zonesmith completion fish | source",
    'complete -C "zonesmith export on"',
    'complete -C "zonesmith import zone-f"',
  );
  // Whether fish describes a folder depends on what else the machine has.
  expect(out.replace(/\tDirectory$/m, "")).toBe("one.example.com\tzone\nzone-files/\n");
});
