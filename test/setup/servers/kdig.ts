/** Questions asked with kdig, and what dig and kdig print. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Said {
  readonly status: string;
  readonly flags: readonly string[];
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  readonly additional: readonly string[];
}

/** Asks with kdig, many questions on one command line: `[name, type]`. */
export async function kdig(
  port: number,
  questions: readonly (readonly [string, string])[],
  ...options: string[]
): Promise<Said[]> {
  const said: Said[] = [];
  for (let from = 0; from < questions.length; from += 500) {
    const some = questions.slice(from, from + 500);
    const args = ["@127.0.0.1", "-p", String(port), "+retry=0", "+time=60", ...options];
    for (const [name, type] of some) args.push("-q", name, "-t", type);
    const output = await run("kdig", args);
    const blocks = output.split(/^(?=;; ->>HEADER<<-)/m).filter((block) => block.startsWith(";; ->>"));
    if (blocks.length !== some.length)
      throw new Error(`${blocks.length} answers of ${some.length}: ${output.slice(-500)}`);
    said.push(...blocks.map(readBlock));
  }
  return said;
}

/** Reads one answer as dig and kdig print it; record lines have single blanks and are sorted. */
function readBlock(text: string): Said {
  const [, status = ""] = /status: (\w+)/.exec(text) ?? [];
  const [, flags = ""] = /^;; flags: ([^;]*);/im.exec(text) ?? [];
  const section = (name: string) => {
    const [, body = ""] = new RegExp(`^;; ${name} SECTION:\\n([^]*?)(?:\\n\\n|\\n;;|$(?![^]))`, "m").exec(text) ?? [];
    return body
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(";"))
      .map((line) => line.replaceAll(/\s+/g, " "))
      .toSorted();
  };
  return {
    status,
    flags: flags.trim().split(" "),
    answer: section("ANSWER"),
    authority: section("AUTHORITY"),
    additional: section("ADDITIONAL"),
  };
}

/** What a server answered: the rcode, and the data of the answer. */
export interface Asked {
  readonly status: string;
  readonly answers: readonly string[];
}

/** Asks the server at a port of 127.0.0.1 as a resolver would. */
export async function askAt(port: number, name: string, type: string, ...options: string[]): Promise<Asked> {
  const words = ["@127.0.0.1", "-p", `${port}`, "+noall", "+header", "+answer", "+time=20", ...options, name, type];
  const printed = await run("kdig", words);
  const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  const [, status = "none"] = /status: (\w+)/.exec(printed) ?? [];
  return { status, answers: lines.map((line) => line.split(/\s+/).slice(4).join(" ")) };
}

/** Runs a client; returns all that it printed. The service runs in this process, so nothing here may block. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => printed.push(data));
  await once(child, "close");
  return Buffer.concat(printed).toString();
}
