/**
 * A PostgreSQL whose synchronous standby is not there: a commit waits for it, and when the wait is cancelled PostgreSQL answers that it
 * committed, with a warning. The service does not acknowledge that, by any interface.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { type ClientKey, UpdateClient } from "../setup/dns/update-client.ts";
import { OwnPostgres } from "../setup/process/own-postgres.ts";
import { RunningService } from "../setup/process/running-service.ts";
import { type Json, mutation } from "../setup/service/service.ts";

const zone = "example.com";
/** Fewer than there are cancelled commits, so that a connection which is not given back is missed. */
const poolSize = 2;
let postgres: OwnPostgres;
let service: RunningService;
let key: ClientKey;

beforeAll(async () => {
  postgres = await OwnPostgres.create();
  service = await RunningService.start({ DATABASE_URL: postgres.url, DATABASE_POOL: String(poolSize) });
  const userId = await service.domains(zone);
  key = await service.tsigKey({ name: "writer.example.com", userId });
  await postgres.sql("alter system set synchronous_standby_names = 'absent'");
  await postgres.stop();
  await postgres.start();
  await eventually(() => service.isReady());
});
afterAll(async () => {
  await service.end("SIGKILL");
  await postgres.stop();
});

const writers: Record<string, (owner: string) => Promise<unknown>> = {
  REST: async (owner) => {
    const form = { zone, owner, rtype: "A", rdata: "192.0.2.1", ttl: 300 };
    const { status, headers, body } = await service.rest("POST", "/record/add", { form });
    return [status, headers.get("retry-after"), body.message];
  },
  GraphQL: async (owner) => {
    const input = { zone, owner, type: "A", rdata: "192.0.2.1" };
    const { body } = await service.graphql(mutation("createRecord", "record { id }"), { input });
    return body.errors.map(({ message, extensions }: Json) => [extensions.code, extensions.retryAfter, message]);
  },
  UPDATE: async (owner) => {
    const client = new UpdateClient(() => service.dnsPort);
    return (await client.update(zone, [`add ${owner} 300 A 192.0.2.1`], { key, protocol: "tcp" })).rcode;
  },
};

const sentence = expect.stringMatching(
  /^The database or its standby was lost during the commit, so the change may be stored or not; read it first; try again/,
);
const unknown: Record<string, unknown> = {
  REST: [503, "2", sentence],
  GraphQL: [["UNAVAILABLE", 2, sentence]],
  UPDATE: "SERVFAIL",
};

const waiting =
  "from pg_stat_activity where wait_event = 'SyncRep' and application_name in ('zonesmith', 'zonesmith-writes')";

/** A commit, or a statement that is its own transaction. */
const commits = String.raw`query ~ '^(commit$|/\* own transaction \*/)'`;

/** Begins a write, and waits until its commit waits for the standby. */
async function begin(name: string, owner: string): Promise<{ readonly answer: Promise<unknown> }> {
  // Whatever else waits would be taken for it.
  await eventually(async () => {
    await postgres.sql(`select pg_cancel_backend(pid) ${waiting}`);
    return (await postgres.sql(`select ${waiting}`)).length === 0;
  });
  const answer = writers[name]?.(owner) as Promise<unknown>;
  await eventually(async () => (await postgres.sql(`select ${waiting} and ${commits}`)).length === 1);
  return { answer };
}

test.each(Object.keys(writers))(
  "%s: a commit whose wait for the standby is cancelled is not acknowledged",
  async (name) => {
    for (let time = 0; time <= poolSize; time += 1) {
      const { answer } = await begin(name, `${name}-${time}`.toLowerCase());
      await postgres.sql(`select pg_cancel_backend(pid) ${waiting}`);
      expect(await answer).toEqual(unknown[name]);
    }
  },
);

test("a commit that waits for the standby when PostgreSQL is stopped is not acknowledged", async () => {
  const { answer } = await begin("REST", "stopped");
  await postgres.stop();
  expect(await answer).toEqual(unknown.REST);
  await postgres.start();
});

test("when there is no standby to wait for, a write is acknowledged again", async () => {
  await postgres.sql("alter system reset synchronous_standby_names");
  await postgres.sql("select pg_reload_conf()");
  await eventually(async () => expect(await writers.UPDATE?.("last")).toBe("NOERROR"));
});
