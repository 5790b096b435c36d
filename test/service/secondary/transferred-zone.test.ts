/**
 * Differences (IXFR) are sent from a serial that was transferred to the same secondary from here, and from no other: by the real name
 * server, to clients that sign as secondaries do.
 */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { query } from "../../setup/database/database.ts";
import { serialOf, transfer } from "../../setup/dns/transfer.ts";
import type { ClientKey } from "../../setup/dns/update-client.ts";
import { load } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
let userId: string;
let made = 0;
let zone: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});
beforeEach(async () => {
  await service.sql("delete from secondary");
  zone = `z${++made}.example.com`;
  await service.domain(zone, userId);
  const addresses = Array.from({ length: 20 }, (_, at) => `h${at} 300 A 192.0.2.${at}`);
  await load(service, zone, addresses);
});

interface Registered {
  readonly id: string;
  readonly keyId: string;
  readonly key: ClientKey;
}

async function tsigKey(grant: object = {}): Promise<Registered> {
  const key = await service.tsigKey({ name: `k${++made}.example.com`, ...grant });
  return { id: key.id, keyId: key.id, key };
}

/** Registers a secondary; without a key of its own when `input` says so. */
async function secondary(input: object = {}): Promise<Registered> {
  const { id: tsigKeyId, key } = await tsigKey();
  made += 1;
  const all = { name: `s${made}`, address: "127.0.0.1", port: 10_000 + made, notify: false, tsigKeyId, ...input };
  const { id } = (await service.mutate("createSecondary", all, "secondary { id }")).secondary;
  return { id, keyId: tsigKeyId, key };
}

/** Adds a record; returns the zone's serial. */
async function change(): Promise<number> {
  await service.record(zone, `a${++made}`, "A", "192.0.2.1");
  return service.serial(zone);
}

/** Transfers the whole zone; returns its serial. */
const whole = async (key: ClientKey | undefined, address?: string) =>
  serialOf(await transfer(service.dnsPort, zone, { key, address }));

/** What the answer to an IXFR is: differences begin with two SOAs, the whole zone with one. */
async function kindOf(since: number, key: ClientKey | undefined, address?: string): Promise<string> {
  const lines = await transfer(service.dnsPort, zone, { key, since, address });
  const isSoa = (line = "") => line.includes(" TYPE6 ");
  if (lines.length === 1) return isSoa(lines[0]) ? "SOA" : (lines[0] as string);
  return isSoa(lines[1]) ? "differences" : "whole zone";
}

test("from a serial that the journal has and the secondary never got, the whole zone is sent; then differences from that", async () => {
  const { key } = await secondary();
  const since = await change();
  await change();
  expect(await kindOf(since, key)).toBe("whole zone");
  expect(await kindOf(since, key)).toBe("whole zone");
  const transferred = await whole(key);
  await change();
  expect(await kindOf(transferred, key)).toBe("differences");
});

test("what was transferred in a history that a restored backup does not hold is sent whole", async () => {
  const { key } = await secondary();
  const before = await whole(key);
  await service.backup();
  await change();
  const lost = await whole(key);
  await service.restore();
  expect(await change()).toBe(lost);
  await change();
  expect(await kindOf(lost, key)).toBe("whole zone");
  await change();
  expect(await kindOf(before, key)).toBe("differences");
});

test("differences are sent from the last serial and from the one before, which a failed transfer leaves", async () => {
  const { key } = await secondary();
  const first = await whole(key);
  await change();
  const before = await whole(key);
  await change();
  const last = await whole(key);
  await change();
  expect(await kindOf(before, key)).toBe("differences");
  expect(await kindOf(last, key)).toBe("differences");
  expect(await kindOf(first, key)).toBe("whole zone");
});

test("after resyncDomain the whole zone is sent, once, whatever was transferred", async () => {
  const { key } = await secondary();
  const before = await whole(key);
  await service.mutate("resyncDomain", { by: { zone } }, "change { id }");
  expect(await kindOf(before, key)).toBe("whole zone");
  const last = await change();
  expect(await kindOf(last - 1, key)).toBe("differences");
});

test("an answer that is the SOA alone records nothing: the client may have that serial from elsewhere", async () => {
  const { key } = await secondary();
  const serial = await change();
  expect(await kindOf(serial, key)).toBe("SOA");
  await change();
  expect(await kindOf(serial, key)).toBe("whole zone");
});

test("a zone is recorded before its last message is sent", async () => {
  const { key } = await secondary();
  await service.sql("begin");
  await service.sql("lock table transferred_zone in access exclusive mode");
  let isDone = false;
  const transferred = whole(key).then((serial) => {
    isDone = true;
    return serial;
  });
  await eventually(async () => {
    // The publisher may wait for the table too. A transaction sees the activity as it was at its first look: not this one's.
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%as given(domain bigint%'`;
    expect(await query(service.databaseUrl, waiting)).toHaveLength(1);
  });
  expect(isDone).toBe(false);
  await service.sql("commit");
  const serial = await transferred;
  expect(await service.sql("select serial::float8 as serial from transferred_zone")).toEqual([{ serial }]);
});

describe("the recipient is recognized", () => {
  test("by its key alone, from any address, also where another secondary is", async () => {
    const [one, other] = [await secondary(), await secondary({ address: "127.0.0.2" })];
    const serial = await whole(one.key, "127.0.0.2");
    await change();
    expect(await kindOf(serial, other.key, "127.0.0.2")).toBe("whole zone");
    expect(await kindOf(serial, one.key, "127.0.0.3")).toBe("differences");
  });

  test("by address too, of secondaries with one key; those at one address cannot be told apart", async () => {
    const { id: tsigKeyId, key } = await tsigKey();
    await secondary({ tsigKeyId });
    await secondary({ tsigKeyId, address: "127.0.0.2" });
    const serial = await whole(key);
    await change();
    expect(await kindOf(serial, key)).toBe("differences");
    expect(await kindOf(serial, key, "127.0.0.2")).toBe("whole zone");
    expect(await kindOf(serial, key, "127.0.0.3")).toBe("whole zone");
    await secondary({ tsigKeyId, address: "127.0.0.2" });
    const second = await whole(key, "127.0.0.2");
    await change();
    expect(await kindOf(second, key, "127.0.0.2")).toBe("whole zone");
  });

  test("by address where it need not sign", async () => {
    await secondary({ tsigKeyId: null, allowUnsignedTransfer: true, address: "127.0.0.2" });
    const serial = await whole(undefined, "127.0.0.2");
    await change();
    expect(await kindOf(serial, undefined, "127.0.0.2")).toBe("differences");
  });

  test("never by a key that belongs to no secondary, nor when it is indirect or shares its key with one", async () => {
    const { key } = await tsigKey({ zones: [zone] });
    const serial = await whole(key);
    const indirect = await secondary({ indirect: true });
    await whole(indirect.key);
    await change();
    expect(await kindOf(serial, key)).toBe("whole zone");
    expect(await kindOf(serial, indirect.key)).toBe("whole zone");
    await secondary({ tsigKeyId: indirect.keyId, address: "127.0.0.2" });
    const direct = await whole(indirect.key, "127.0.0.3");
    await change();
    expect(await kindOf(direct, indirect.key, "127.0.0.3")).toBe("whole zone");
    const there = await whole(indirect.key, "127.0.0.2");
    await change();
    expect(await kindOf(there, indirect.key, "127.0.0.2")).toBe("differences");
  });
});

test("a secondary that is deleted takes its rows along, and its key transfers nothing from then on", async () => {
  const { id, key } = await secondary();
  await whole(key);
  await service.mutate("deleteSecondary", { by: { id } }, "deletedId");
  expect(await service.sql("select from transferred_zone")).toEqual([]);
  expect(await transfer(service.dnsPort, zone, { key })).toEqual(["rcode 5"]);
});
