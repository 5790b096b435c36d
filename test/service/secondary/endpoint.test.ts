import { afterEach, expect, test } from "@jest/globals";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { secondaryEndpoints } from "../../../src/secondary/endpoint.ts";
import { createSecondary } from "../../../src/secondary/registry.ts";
import { secondaryAddresses } from "../../../src/secondary/transfer-access.ts";
import { SecondaryAddresses } from "../../../src/service/secondary-addresses.ts";
import { system } from "../../../src/session/authorization.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
afterEach(() => zones.sql("delete from secondary"));
const flags = { notify: true, requiredForLive: true, allowUnsignedTransfer: false, indirect: false };
const sessionWith = (secretKey: string) => zones.session(system, { secretKey });

test("the addresses of secondaries are known as sockets report them", async () => {
  const fields = { port: 53, tsigKeyId: null, ...flags };
  for (const address of ["192.0.2.1", "2001:DB8:0:0:0:0:0:1"])
    await createSecondary(zones.session(), { ...fields, name: address, address });
  const addresses = new SecondaryAddresses({ load: () => secondaryAddresses(zones.session()) });
  await addresses.refresh();
  const asked = ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "2001:db8::1%eth0", "192.0.2.2", "2001:db8::2"];
  expect(asked.filter((address) => addresses.has(address))).toEqual(asked.slice(0, 4));
});

test("they are read again after five seconds, once for however many questions, and stay when that fails", async () => {
  let now = 0;
  let reads = 0;
  let load = async () => new Set(["192.0.2.1"]);
  const addresses = new SecondaryAddresses({
    load: () => {
      reads += 1;
      return load();
    },
    now: () => now,
  });
  await addresses.refresh();
  load = async () => {
    throw new Error("the database is away");
  };
  now = 5000;
  for (let at = 0; at < 100; at += 1) expect(addresses.has("192.0.2.1")).toBe(true);
  await addresses.refresh();
  expect([reads, addresses.has("192.0.2.1")]).toEqual([3, true]);
  load = async () => new Set(["192.0.2.2"]);
  await addresses.refresh();
  expect(["192.0.2.1", "192.0.2.2"].map((address) => addresses.has(address))).toEqual([false, true]);
});

test("a key that cannot be read for SECRET_KEY is a problem of that key; one of the database is not", async () => {
  const session = sessionWith("the-secret-key-of-an-operator-0123456789");
  const { tsigKey } = await createTsigKey(session, "key.example", "hmac-sha256");
  await createSecondary(session, { ...flags, name: "s", address: "192.0.2.1", port: 53, tsigKeyId: tsigKey.id });
  expect(await secondaryEndpoints(session)).toMatchObject([{ key: { name: "key.example" }, keyError: undefined }]);
  const keyError = expect.stringContaining("set SECRET_KEY to what it was");
  expect(await secondaryEndpoints(sessionWith("another-key-0123456789-0123456789"))).toMatchObject([
    { key: undefined, keyError },
  ]);
  await zones.sql("alter table tsig_key rename to tsig_key_away");
  await expect(secondaryEndpoints(session)).rejects.toThrow(/relation .*tsig_key.* does not exist/);
});
