import { afterEach, expect, test } from "@jest/globals";
import { dropDatabase, freshDatabase, query } from "../setup/database.ts";
import { freePort, type ServiceProcess, zonesmith } from "../setup/process.ts";
import { eventually } from "../setup/publishers.ts";
import { Responder } from "../setup/responder.ts";
import { adminKey } from "../setup/service.ts";

const started: ServiceProcess[] = [];
let url = "";
const secondary = new Responder();
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill("SIGKILL");
    await ended();
  }
  await secondary.close();
  await dropDatabase(url);
}, 30_000);

/** Starts the service as a process; answers how to change the zone over REST, and how to kill it. */
async function serve(): Promise<{
  post(path: string, form: Record<string, string>): Promise<Response>;
  kill(): Promise<void>;
}> {
  const port = await freePort();
  const service = zonesmith(["serve"], {
    HTTP_PORT: String(port),
    DATABASE_URL: url,
    ADMIN_API_KEY: adminKey,
    LOG_LEVEL: "silent",
  });
  started.push(service);
  await service.printed(/Zonesmith answers at/);
  return {
    post: (path, form) =>
      fetch(`http://127.0.0.1:${port}/api${path}`, {
        method: "POST",
        headers: { "X-API-Key": adminKey },
        body: new URLSearchParams(form),
      }),
    kill: async () => {
      service.child.kill("SIGKILL");
      await service.ended();
    },
  };
}

test("killed between commit and NOTIFY, the service publishes the change when it runs again; another instance does so at once", async () => {
  url = await freshDatabase();
  await secondary.open();
  await query(url, "insert into secondary (name, address, port) values ('s', '127.0.0.1', $1)", [secondary.port]);
  const first = await serve();
  const user = (await (await first.post("/user/add", { email: "owner@example.com" })).json()) as { id: string };
  await first.post("/domain/add", { zone: "example.com", user_id: user.id });
  await eventually(() => expect(secondary.notified("example.com")).not.toEqual([]));
  secondary.serials.set("example.com", await serial());
  await eventually(async () => expect(await sighted()).toBe(await serial()));

  secondary.mute = true; // Whatever is still sent is lost.
  const record = { zone: "example.com", owner: "a", rtype: "A", ttl: "300", rdata: "192.0.2.1" };
  expect((await first.post("/record/add", record)).status).toBeLessThan(300);
  await first.kill();
  const known = secondary.notified("example.com").length;
  secondary.mute = false;
  const second = await serve();
  await eventually(() => expect(secondary.notified("example.com").length).toBeGreaterThan(known));
  secondary.serials.set("example.com", await serial());
  await eventually(async () => expect(await sighted()).toBe(await serial()));

  const standby = await serve();
  secondary.mute = true;
  expect((await second.post("/record/add", { ...record, owner: "b" })).status).toBeLessThan(300);
  await second.kill();
  const begun = performance.now();
  secondary.mute = false;
  secondary.serials.set("example.com", await serial());
  await eventually(async () => expect(await sighted()).toBe(await serial()), 5000);
  process.stdout.write(`taken over and sighted ${(performance.now() - begun).toFixed(0)} ms after kill -9\n`);
  await standby.kill();
}, 60_000);

async function serial(): Promise<number> {
  const [row] = await query<{ serial: string }>(url, "select serial from domain where zone = 'example.com'");
  return Number(row?.serial);
}

async function sighted(): Promise<number> {
  const [row] = await query<{ serial: string }>(url, "select serial from sighting where zone = 'example.com'");
  return Number(row?.serial);
}
