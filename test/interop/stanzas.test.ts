/**
 * Each server, started with nothing but a place to run and the stanza as it was printed, serves a new zone and its changes.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { freePort, temporaryFolder } from "../setup/process.ts";
import { type Json, testService } from "../setup/service.ts";

/** How a server is started: its command, its arguments, and the part of its configuration that says where it runs. */
interface Server {
  readonly command: string;
  readonly args: (file: string) => string[];
  readonly place: (folder: string, port: number) => string;
  /** Puts the stanza and the place together. */
  readonly join?: (place: string, stanza: string) => string;
}

const servers: Readonly<Record<string, Server>> = {
  KNOT: {
    command: "knotd",
    args: (file) => ["-c", file],
    place: (folder, port) => `server:
    listen: 127.0.0.1@${port}
    rundir: ${folder}
database:
    storage: ${folder}
`,
    join: (place, stanza) => `${place}${stanza}`.replaceAll("zonefile-sync:", "storage: FOLDER\n    zonefile-sync:"),
  },
  BIND: {
    command: "named",
    args: (file) => ["-g", "-c", file],
    place: (folder, port) => `directory "${folder}"; pid-file "${folder}/pid"; session-keyfile "${folder}/session";
listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; dnssec-validation no; notify no;`,
    join: (place, stanza) => `${stanza.replace("options {", `options {\n${place}`)}controls { };\n`,
  },
  NSD: {
    command: "nsd",
    args: (file) => ["-d", "-c", file],
    place: (folder, port) => `server:
    ip-address: 127.0.0.1@${port}
    username: ""
    chroot: ""
    zonesdir: "${folder}"
    pidfile: "${folder}/pid"
    database: ""
    xfrdfile: "${folder}/xfrd"
    zonelistfile: "${folder}/zones"
    xfrdir: "${folder}"
    server-count: 1
    xfrd-reload-timeout: 0
remote-control:
    control-enable: no
`,
  },
};

const path = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

for (const [
  kind,
  { command, args, place, join: put = (first: string, then: string) => `${first}${then}` },
] of Object.entries(servers)) {
  const isThere = spawnSync(command, ["-V"], { env: path }).error === undefined;
  const run = isThere || process.env.CI ? describe : describe.skip;
  run(`${command} with the stanza (skipped where it is not installed; a failure in CI)`, () => {
    const service = testService({ RATE_LIMIT_KEY: "0" });
    const folder = temporaryFolder();
    let server: ChildProcess | undefined;
    let log = "";

    beforeAll(async () => {
      const userId = await service.user("servers@example.com");
      await service.domain("first.example.com", userId);
      const key = `mutation { createTsigKey(input: { name: "servers.example.com" }) { tsigKey { id } } }`;
      const tsigKey = (await service.data(key)).createTsigKey.tsigKey.id;
      const port = await freePort();
      const create = "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }";
      const input = { name: kind, address: "127.0.0.1", port, tsigKey };
      const { id } = (await service.data(create, { input })).createSecondary.secondary;
      const { secondaryConfig } = await service.data(`{ secondaryConfig(secondary: "${id}", server: ${kind}) }`);
      const file = join(folder, "conf");
      writeFileSync(file, put(place(folder, port), secondaryConfig).replaceAll("FOLDER", folder));
      server = spawn(command, args(file), { env: path, stdio: ["ignore", "pipe", "pipe"] });
      for (const output of [server.stdout, server.stderr]) output?.on("data", (data: Buffer) => (log += data));
    });
    afterAll(async () => {
      if (server && server.exitCode === null && server.kill("SIGTERM")) await once(server, "close");
      rmSync(folder, { recursive: true, force: true });
    });

    const published =
      "change { publication(waitFor: LIVE, timeoutMs: 30000) { state secondaries { state lastError } } }";
    const live = { state: "LIVE", secondaries: [{ state: "LIVE", lastError: null }] };
    const create = async (zone: string): Promise<Json> => {
      const document = `mutation ($input: CreateRecordInput!) { createRecord(input: $input) { ${published} } }`;
      const input = { zone, owner: "a", type: "A", rdata: "192.0.2.1" };
      return (await service.data(document, { input })).createRecord.change.publication;
    };

    test("serves a zone that was there, and its next change", async () => {
      const publication = await create("first.example.com");
      expect({ publication, log: publication.state === "LIVE" ? "" : log }).toEqual({ publication: live, log: "" });
    }, 40_000);

    if (kind !== "NSD") {
      test("serves a zone that is created later, and refuses it once it is deleted", async () => {
        const userId = (await service.data("{ users { nodes { id } } }")).users.nodes[0].id;
        const made = await service.rest("POST", "/domain/add", {
          form: { zone: "later.example.com", user_id: userId },
          headers: { Prefer: "wait=30" },
        });
        expect([made.status, made.headers.get("x-publication")]).toEqual([201, "LIVE"]);
        const gone = await service.rest("DELETE", "/domain/delete", {
          form: { zone: "later.example.com" },
          headers: { Prefer: "wait=30" },
        });
        expect([gone.status, gone.headers.get("x-publication")]).toEqual([204, "LIVE"]);
      }, 70_000);
    }
  });
}
