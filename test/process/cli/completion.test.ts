/**
 * Completion, as the shells ask for it and in the shells themselves.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { run } from "../../setup/process/command.ts";
import { zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const folder = temporaryFolder();
/** The environment of a shell that has the command on its path. */
const environment = () => ({
  PATH: `${resolve(import.meta.dirname, "../../../bin")}:${process.env.PATH}`,
  ZONESMITH_URL: service.url,
  ZONESMITH_API_KEY: adminKey,
});

beforeAll(async () => {
  mkdirSync(join(folder, "zone-files"));
  const userId = await service.user("complete@example.com");
  for (const zone of ["one.example.com", "two.example.com"]) await service.domain(zone, userId);
  await service.mutate("createSecondary", { name: "ns1.graz", address: "192.0.2.1", port: 53 }, "secondary { id }");
});

async function complete(line: string): Promise<string[]> {
  const command = zonesmith(["complete", "--", ...line.split(" ").slice(1)], environment());
  expect(await command.ended()).toBe(0);
  return command.output().stdout.split("\n").slice(0, -1);
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
  const command = zonesmith(["complete", "--", "show", ""], { ZONESMITH_URL: "http://127.0.0.1:9" });
  expect([await command.ended(), command.output()]).toEqual([0, { stdout: "", stderr: "" }]);
});

/** What a shell completes after its script was read. */
const inShell = (shell: string, ...lines: string[]) =>
  run(shell, ["-c", lines.join("\n")], { env: environment() as NodeJS.ProcessEnv, cwd: folder });

test("in bash", async () => {
  const words = (line: string) =>
    `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _zonesmith; printf '%s ' "\${COMPREPLY[@]}"; echo`;
  const out = await inShell(
    "bash",
    "compopt() { :; }",
    "source <(zonesmith completion bash)",
    words("zonesmith record ''"),
    words("zonesmith export on"),
    words("zonesmith import zone-f"),
  );
  expect(out).toBe("list find show add change remove help \none.example.com \nzone-files \n");
  const { stdout } = spawnSync("bash", ["-c", "source <(zonesmith completion bash); complete -p zonesmith"], {
    env: environment(),
  });
  expect(String(stdout)).toBe("complete -F _zonesmith zonesmith\n");
});
