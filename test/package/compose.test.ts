/**
 * compose.yaml: valid by the published schema of Compose, in agreement with the service's settings, and its registration of Knot run as
 * processes of this machine. Limitation: a real engine's networks and volumes are not tested.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { settings } from "../../src/config/settings.ts";
import { testWith } from "../setup/basics/programs.ts";
import { run, shellEnvironment } from "../setup/process/command.ts";
import { knot as knotServer } from "../setup/servers/name-servers.ts";
import { ServerProcess } from "../setup/servers/server-process.ts";
import { adminKey, testService } from "../setup/service/service.ts";

const root = resolve(import.meta.dirname, "../..");
const text = readFileSync(join(root, "deploy/compose.yaml"), "utf8");
const compose = parse(text, { merge: true }) as {
  readonly services: Record<string, { environment: Record<string, string>; command: string[]; entrypoint: string[] }>;
};
const { $schema, ...schema } = JSON.parse(readFileSync(join(import.meta.dirname, "compose-spec.json"), "utf8"));
const ajv = new Ajv({ strict: false, validateFormats: false });
const isValid = (document: unknown): boolean | string => ajv.validate(schema, document) || ajv.errorsText();

const service = testService();
const knot = new ServerProcess(knotServer);
const { folder } = knot;
afterAll(() => knot.remove());

test("is valid by the schema of Compose, which sees a wrong key", () => {
  expect(isValid(compose)).toBe(true);
  const wrong = { ...compose, services: { ...compose.services, knot: { image: "knot", restrat: "no" } } };
  expect(isValid(wrong)).toMatch(/additional properties/);
});

test("gives the service settings that it has", () => {
  const given = Object.keys(compose.services.zonesmith?.environment ?? {});
  expect(given).toContain("DATABASE_URL");
  expect(given.filter((name) => !(name in settings))).toEqual([]);
});

/** Runs what `register` runs, on the test service, for a Knot at a port of this machine. */
async function register(port: number): Promise<string> {
  const { entrypoint = [], command = [], environment } = compose.services.register ?? {};
  const [shell = "", ...args] = [...entrypoint, ...command].map((word) => word.replaceAll("$$", "$"));
  const stanza = join(folder, "zonesmith.conf");
  const env = {
    ...environment,
    PATH: `${join(folder, "bin")}:${shellEnvironment().PATH}`,
    ZONESMITH_URL: service.url,
    ZONESMITH_API_KEY: adminKey,
    PRIMARY: "127.0.0.1",
    SECONDARY: "127.0.0.1",
    SECONDARY_PORT: String(port),
    STANZA: stanza,
  };
  expect(Object.keys(env).toSorted()).toEqual(["PATH", ...Object.keys(environment ?? {})].toSorted());
  await run(shell, args, { env });
  return readFileSync(stanza, "utf8");
}

testWith("knotd")("registers Knot once, and Knot follows from the stanza that is written for it", async () => {
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(root, "dist/src/cli/zonesmith.js"), join(folder, "bin/zonesmith"));
  const port = await knot.choosePort();
  const stanza = await register(port);
  expect(stanza).toContain("secret: ");
  expect(await register(port)).toBe(stanza);

  const places = {
    "0.0.0.0@53": `127.0.0.1@${port}`,
    "/rundir": folder,
    "/storage": folder,
    "/stanza/": `${folder}/`,
  };
  let configuration = readFileSync(join(root, "deploy/knot.conf"), "utf8").replace(/ +user: .*\n/, "");
  for (const [place, here] of Object.entries(places)) {
    expect(configuration).toContain(place);
    configuration = configuration.replace(place, here);
  }
  writeFileSync(join(folder, knotServer.configFile), configuration);
  await knot.start();
  const userId = await service.user("compose@example.com");
  await service.domain("compose.example.com", userId);
  const document =
    '{ domain(by: { zone: "compose.example.com" }) { changes { nodes { publication(waitMs: 60000) { state } } } } }';
  const { domain } = await service.data(document);
  expect(domain.changes.nodes).toEqual([{ publication: { state: "LIVE" } }]);
});
