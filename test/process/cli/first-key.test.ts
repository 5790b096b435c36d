/** The administrator key of the first start: shown by the start that creates it, and never lost. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { emptyDatabase, freshDatabase, openPool, query } from "../../setup/database/database.ts";
import { CommandLine } from "../../setup/process/command-line.ts";
import { type ServiceProcess, terminal, zonesmith } from "../../setup/process/process.ts";
import type { Json } from "../../setup/service/service.ts";

const started: ServiceProcess[] = [];
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill("SIGTERM");
    await ended();
  }
});

async function serve(environment: Record<string, string>): Promise<ServiceProcess & { url: string }> {
  const service = zonesmith(["serve"], { HTTP_PORT: "0", ...environment });
  started.push(service);
  return { ...service, url: await service.answersAt() };
}

async function stop(service: ServiceProcess): Promise<void> {
  service.child.kill("SIGTERM");
  expect(await service.ended()).toBe(0);
}

const fileIn = (folder: string) => join(folder, "administrator-key.txt");
const keyIn = (text: string) => /zs_[\w-]{43}/.exec(text)?.[0] ?? "";
const linesOf = (service: ServiceProcess): Json[] =>
  service
    .output()
    .stdout.split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const status = async (url: string, key: string) =>
  (await fetch(`${url}/api/user/list`, { headers: { "X-API-Key": key } })).status;

testWith("curl")(
  "the first start writes its key into a file that only its owner may read, with commands that work as they are, from any folder",
  async () => {
    const folder = temporaryFolder();
    const service = await serve({ DATA_DIR: folder });
    const text = readFileSync(fileIn(folder), "utf8");
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
    const commands = text.split("\n").filter((line) => /^ {2}(export|USER_ID=|curl|zonesmith)/.test(line));
    expect(commands).toHaveLength(9);
    const env = { ...process.env, PATH: `${join(import.meta.dirname, "../../../bin")}:${process.env.PATH}` };
    const paste = () =>
      execFileSync("bash", ["-c", commands.join("\n")], {
        encoding: "utf8",
        cwd: "/",
        env,
        stdio: ["ignore", "pipe", "ignore"],
      });
    const answer = paste();
    expect(answer).toContain('"zone":"first.example"');
    const { data } = JSON.parse(answer.slice(answer.indexOf('{"data"')).split("\n")[0] ?? "");
    expect(data.domain.records.nodes.map(({ owner }: Json) => owner)).toEqual(["@", "@", "@", "www"]);
    expect(answer).toMatch(/app +3600 +A +192\.0\.2\.1$/m);
    expect(answer).toMatch(/^Domains +1 /m);
    const codes = [...paste().matchAll(/"error":"([A-Z_]+)"/g)].map(([, code]) => code);
    expect(codes).toEqual(["DUPLICATE_EMAIL", "DUPLICATE_ZONE"]);
    await stop(service);
    // Away from a terminal the log is JSON and nothing else.
    expect(linesOf(service).filter(({ file }) => file === fileIn(folder))).toHaveLength(1);
    expect(service.output().stdout).not.toContain(keyIn(text));
    expect(service.output().stderr).toBe("");
  },
);

test.each(["HTTP_PORT", "DNS_PORT"])(
  "a first start that fails on a taken %s has created no key; the next one shows it",
  async (setting) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const [folder, url] = [temporaryFolder(), await emptyDatabase()];
    const settings = { DATA_DIR: folder, DATABASE_URL: url, HTTP_PORT: "0" };
    const taken = { ...settings, [setting]: String(port) };
    const sentence = `zonesmith: Port ${port} on 127.0.0.1 is in use; stop what listens there, or set ${setting} to a free port.`;
    expect(await new CommandLine().run("serve", taken)).toEqual([1, expect.any(String), `${sentence}\n`]);
    expect(existsSync(fileIn(folder))).toBe(false);
    expect(await query(url, "select id from api_key")).toEqual([]);
    other.close();
    const service = await serve(settings);
    expect(await status(service.url, keyIn(readFileSync(fileIn(folder), "utf8")))).toBe(200);
    await stop(service);
  },
);

test("the service is ready only when the first key works", async () => {
  const [url, port, key] = [await freshDatabase(), await freePort(), "zs_chosen-by-the-operator-of-this-test"];
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return [answer.status, await answer.json()];
  };
  const pool = openPool(url);
  const client = await pool.connect();
  await client.query("begin; lock table api_key in access exclusive mode");
  const service = zonesmith(["serve"], { DATABASE_URL: url, DATA_DIR: "", ADMIN_API_KEY: key, HTTP_PORT: `${port}` });
  started.push(service);
  expect(await eventually(ready)).toEqual([503, { status: "not ready", reason: "the service is starting" }]);
  await client.query("commit");
  await eventually(async () => expect(await ready()).toMatchObject([200, {}]));
  expect(await status(`http://127.0.0.1:${port}`, key)).toBe(200);
  client.release();
  await pool.end();
  await stop(service);
});

test("a key that cannot be shown is not created, and the log says how to get one", async () => {
  const url = await freshDatabase();
  const service = zonesmith(["serve"], { HTTP_PORT: "0", DATABASE_URL: url, DATA_DIR: "" });
  started.push(service);
  await service.printed(/there is no administrator key.*zonesmith keys recover/);
  expect(await query(url, "select id from api_key")).toEqual([]);
  await stop(service);
});

test("a file that cannot be written stops the start, and the key is not created", async () => {
  const [file, url] = [join(temporaryFolder(), "file"), await freshDatabase()];
  writeFileSync(file, "");
  const settings = { HTTP_PORT: "0", DATABASE_URL: url, DATA_DIR: file };
  const sentence = "zonesmith: The administrator key cannot be written to …; set DATA_DIR";
  await new CommandLine().shows(`$ serve … => [1] ${sentence}`, {}, settings);
  expect(await query(url, "select id from api_key")).toEqual([]);
});

test("a start that finds a key which was never used says where it is and how to get a new one, until one was used", async () => {
  const [folder, url] = [temporaryFolder(), await freshDatabase()];
  const settings = { DATA_DIR: folder, DATABASE_URL: url };
  await stop(await serve(settings));
  const key = keyIn(readFileSync(fileIn(folder), "utf8"));
  const again = await serve(settings);
  await again.printed(/"msg":"no administrator key was used yet.*\n/);
  expect(linesOf(again).filter(({ level, file }) => level === 40 && file === fileIn(folder))).toEqual([
    expect.objectContaining({ msg: expect.stringContaining("zonesmith keys recover") }),
  ]);
  expect(await status(again.url, key)).toBe(200);
  await stop(again);
  const used = await serve(settings);
  await stop(used);
  expect(linesOf(used).find(({ msg }) => msg === "Zonesmith answers")).toMatchObject({
    url: used.url,
    console: `${used.url}/console/`,
  });
  expect(used.output().stdout).not.toContain("keys recover");
  expect(existsSync(fileIn(folder))).toBe(false);
});

testWith("script")("on a terminal the key is shown there, the log is readable, and no file is left", async () => {
  const [folder, database] = [temporaryFolder(), await freshDatabase()];
  const settings = { DATA_DIR: folder, DATABASE_URL: database, HTTP_PORT: String(await freePort()) };
  const service = terminal(["serve"], settings);
  const [key] = await service.printed(/zs_[\w-]{43}/);
  const [, url = ""] = await service.printed(
    /Zonesmith answers at (http:\/\/[\d.]+:\d+), DNS at 127\.0\.0\.1 port \d+/,
  );
  const { pid } = await eventually(() => JSON.parse(readFileSync(join(folder, "service.json"), "utf8")));
  try {
    expect(await status(url, key)).toBe(200);
    await service.printed(/INFO.*GET \/api\/user\/list {2}200/);
    expect(service.output().stdout).not.toContain('{"level"');
    expect(existsSync(fileIn(folder))).toBe(false);
  } finally {
    process.kill(pid, "SIGTERM"); // since script(1) passes no signal on
    await service.ended();
  }
});
