/** What commands print: lists and help that fit 80 columns, and output that cannot be written. */
import { beforeAll, expect, test } from "@jest/globals";
import { run } from "../../setup/process/command.ts";
import { commandLine, inShell } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const zone = "a-zone-of-a-rather-long-name.example.com";

beforeAll(async () => {
  const userId = await service.user("somebody.of.the.operations@example.com");
  await service.domain(zone, userId);
  await service.key({ name: "the key of the continuous integration", userId });
  const record = { zone, owner: "www2", type: "TXT", rdata: `"${"a long text ".repeat(15)}"` };
  await service.mutate(
    "createRecord",
    { ...record, note: "the note says in many words why the text is long" },
    "change { id }",
  );
  await cli.printed(`tsig add --for nsupdate --zone ${zone} --name updates-of-the-long-zone`);
  await cli.run("domain show none.example.com");
});

/** The lines of a command on a terminal of no known width. */
const linesAt80 = async (line: string) => (await cli.printed(line, { COLUMNS: "" })).split("\n");

test.each([
  "history",
  `history ${zone}`,
  `history ${zone} www2 TXT`,
  `blame ${zone}`,
  "audit",
  "key list",
  "tsig list",
  "--help",
])("%s fits 80 columns, and breaks no word", async (line) => {
  const [lines, wide] = [await linesAt80(line), await cli.printed(line)];
  expect(lines.filter((each) => each.length > 80)).toEqual([]);
  const words = new Set(lines.flatMap((each) => each.split(/[ :;]+/)));
  expect(
    wide.split(/[ :;]+|\n/).filter((word) => word !== "-" && word === word.toLowerCase() && !words.has(word)),
  ).toEqual([]);
});

test("the data of records stays on its line, so that it can be copied", async () => {
  expect(await linesAt80(`record list ${zone} --type TXT`)).toHaveLength(3);
});

test("the help has every command in one of four groups", async () => {
  const help = await cli.printed("--help");
  const headings = ["Every day:", "History:", "Service:", "More:"];
  expect(help.match(/^[A-Z].*:$/gm)).toEqual([
    "Options:",
    ...headings,
    expect.stringMatching(/^Environment/),
    "Exit codes:",
  ]);
});

/** What a line of bash prints, on both outputs, in which the command is `zonesmith`. */
const printedBy = (line: string) => run("bash", ["-c", `{ ${line}; } 2>&1`], { env: inShell(service) });

test.each(["user list", "--version", "--help", "record --help", "user list --json", `export ${zone}`, `show ${zone}`])(
  "%s fails when its output cannot be written",
  async (line) => {
    const said = await printedBy(`zonesmith ${line} > /dev/full; echo "ended with $?"`);
    expect(said).toMatch(/^zonesmith: .*ENOSPC.*\nended with 1\n$/);
  },
);

test("a reader that wants no more is no failure", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the status of the first program of a pipeline
  expect(await printedBy('zonesmith user list | true; echo "ended with ${PIPESTATUS[0]}"')).toBe("ended with 0\n");
});
