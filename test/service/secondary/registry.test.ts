import { afterEach, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
afterEach(async () => {
  await service.sql("delete from secondary");
});

const fields = "id name address port tsigKey { id name } notify requiredForLive allowUnsignedTransfer indirect";
const place = { name: "knot", address: "127.0.0.1", port: 5353 };
const create = async (input: object): Promise<Json> =>
  (await service.mutate("createSecondary", { ...place, ...input }, `secondary { ${fields} }`)).secondary;
const update = async ({ id, ...edits }: { readonly id: string; readonly [field: string]: unknown }): Promise<Json> =>
  (await service.mutate("updateSecondary", { by: { id }, ...edits }, `secondary { ${fields} }`)).secondary;
const tsigKey = (input: object): Promise<{ tsigKey: Json; secret: string }> =>
  service.mutate("createTsigKey", input, "tsigKey { id name algorithm revokedAt } secret");

/** The code and the field of a refusal. */
async function refused(promise: Promise<unknown>): Promise<[string, string] | "done"> {
  const error = await promise.then(
    () => undefined,
    (reason: Error) => reason,
  );
  if (!error) return "done";
  const { code, field } = JSON.parse(error.message)[0].extensions;
  return [code, field];
}

describe("a secondary", () => {
  test("is created with defaults, read by id and by name, listed by name, edited in part, and deleted", async () => {
    const { tsigKey: key } = await tsigKey({ name: "crud.example.com" });
    const made = await create({ tsigKeyId: key.id });
    expect(made).toMatchObject({ notify: true, requiredForLive: true, allowUnsignedTransfer: false, indirect: false });
    expect(made.tsigKey).toEqual({ id: key.id, name: "crud.example.com" });
    await create({ name: "a first", address: "2001:DB8:0::53" });
    const read = `query ($by: NameSelector!) { secondary(by: $by) { ${fields} } }`;
    expect((await service.data(read, { by: { id: made.id } })).secondary).toEqual(made);
    expect((await service.data(read, { by: { name: "knot" } })).secondary).toEqual(made);
    const list = "{ secondaries { totalCount nodes { name address lastQuery { at } lastTransfer { at } } } }";
    const unused = { lastQuery: null, lastTransfer: null };
    expect((await service.data(list)).secondaries).toEqual({
      totalCount: 2,
      nodes: [
        { name: "a first", address: "2001:db8::53", ...unused },
        { name: "knot", address: "127.0.0.1", ...unused },
      ],
    });
    expect(await update({ id: made.id, notify: false })).toEqual({ ...made, notify: false });
    expect(await update({ id: made.id, indirect: true })).toEqual({ ...made, notify: false, indirect: true });
    const edited = { notify: false, tsigKey: null, port: 53 };
    await update({ id: made.id, indirect: false });
    expect(await update({ id: made.id, tsigKeyId: null, port: 53 })).toEqual({ ...made, ...edited });
    const byName = `mutation { updateSecondary(input: { by: { name: "knot" }, port: 54 }) { secondary { id port } } }`;
    expect((await service.data(byName)).updateSecondary.secondary).toEqual({ id: made.id, port: 54 });
    const document = `mutation { deleteSecondary(input: { by: { name: "knot" } }) { deletedId } }`;
    expect(await service.data(document)).toEqual({ deleteSecondary: { deletedId: made.id } });
    expect(await service.refusal(document)).toBe("NOT_FOUND");
  });

  test.each([
    ["an address with a zone", { address: "fe80::1%eth0" }, "address"],
    ["a host's name", { address: "ns1.example.com" }, "address"],
    ["an octet too great", { address: "192.0.2.256" }, "address"],
    ["port 0", { port: 0 }, "port"],
    ["port 65536", { port: 65536 }, "port"],
    ["no name", { name: " " }, "name"],
    ["a key's name in place of its id", { tsigKeyId: "knot" }, "tsigKeyId"],
  ])("with %s is refused", async (_what, input, field) => {
    expect(await refused(create(input))).toEqual(["INVALID_VALUE", field]);
    const { id } = await create({});
    expect(await refused(update({ id, ...input }))).toEqual(["INVALID_VALUE", field]);
  });

  test("of a name or an address and port that is taken is refused, in any spelling", async () => {
    await create({ address: "2001:db8::1" });
    expect(await refused(create({ port: 54 }))).toEqual(["INVALID_VALUE", "name"]);
    expect(await refused(create({ name: "other", address: "2001:DB8:0:0::1" }))).toEqual(["INVALID_VALUE", "address"]);
    const { id } = await create({ name: "other", address: "2001:db8::1", port: 54 });
    expect(await refused(update({ id, port: 5353 }))).toEqual(["INVALID_VALUE", "port"]);
    expect(await refused(update({ id, name: "knot" }))).toEqual(["INVALID_VALUE", "name"]);
  });

  test("with a key that is not there or was revoked is refused", async () => {
    const { tsigKey: key } = await tsigKey({ name: "revoked.example.com" });
    await service.data(`mutation { revokeTsigKey(input: { tsigKeyId: "${key.id}" }) { tsigKey { revokedAt } } }`);
    expect(await refused(create({ tsigKeyId: key.id }))).toEqual(["INVALID_VALUE", "tsigKeyId"]);
    expect(await refused(create({ tsigKeyId: "12345" }))).toEqual(["NOT_FOUND", "tsigKeyId"]);
  });

  test("at another address is another server: what was seen of it is forgotten", async () => {
    const { id } = await create({ notify: false });
    const count = async () =>
      (await service.sql("select from sighting where secondary_id = $1 and domain_id = 77", [id])).length;
    await service.sql(
      "insert into sighting (secondary_id, domain_id, zone, serial, term) values ($1, 77, 'a.b', 1, 1000000)",
      [id],
    );
    await update({ id, name: "renamed" });
    expect(await count()).toBe(1);
    await update({ id, port: 5354 });
    expect(await count()).toBe(0);
  });
});

describe("a TSIG key", () => {
  test.each([
    [undefined, "HMAC_SHA256", 32],
    ["HMAC_SHA384", "HMAC_SHA384", 48],
    ["HMAC_SHA512", "HMAC_SHA512", 64],
  ])("of algorithm %s is one of %s with a secret of %i octets, shown once", async (given, algorithm, octets) => {
    const name = `k${octets}.example.com`;
    const made = await tsigKey({ name, algorithm: given });
    expect(made.tsigKey).toMatchObject({ name, algorithm, revokedAt: null });
    expect(Buffer.from(made.secret, "base64")).toHaveLength(octets);
    const { tsigKeys } = await service.data("{ tsigKeys { nodes { name algorithm } } }");
    expect(tsigKeys.nodes).toContainEqual({ name, algorithm });
  });

  test.each(["HMAC_MD5", "HMAC_SHA1", "HMAC_SHA224", "hmac-sha256", "constructor", ""])(
    "of algorithm '%s' is refused",
    async (algorithm) => {
      expect(await refused(tsigKey({ name: "weak.example.com", algorithm }))).toEqual(["INVALID_VALUE", "algorithm"]);
    },
  );

  test.each([
    ["TWICE.example.com.", "INVALID_VALUE"],
    ["a*b.example.com", "INVALID_NAME"],
    ["a..b", "INVALID_NAME"],
  ])("of a name that is taken, or that not every server reads, is refused: %s", async (name, code) => {
    await tsigKey({ name: "twice.example.com" }).catch(() => {});
    expect(await refused(tsigKey({ name }))).toEqual([code, "name"]);
  });
});

describe("where weak algorithms are switched on", () => {
  const lax = testService({ TSIG_WEAK_ALGORITHMS: "yes" });

  test.each(["HMAC_MD5", "HMAC_SHA1"])("a key may be of %s", async (algorithm) => {
    const input = { name: algorithm.replace("_", "-"), algorithm };
    expect(await lax.mutate("createTsigKey", input, "tsigKey { algorithm }")).toEqual({ tsigKey: { algorithm } });
  });
});

test("a user whose TSIG key a secondary signs with is not deleted, by GraphQL or REST, until the secondary has another", async () => {
  const userId = await service.user("signer@example.com");
  const { tsigKey: key } = await tsigKey({ name: "signer.key.example", userId });
  const { id } = await create({ tsigKeyId: key.id });
  const deletion = () => refused(service.mutate("deleteUser", { by: { id: userId } }, "deletedId"));
  expect(await deletion()).toEqual(["INVALID_VALUE", "by"]);
  const { status, body } = await service.rest("DELETE", `/user/delete/${userId}`);
  expect(status).toBe(422);
  expect(body.message).toContain("The secondary knot signs with signer.key.example");
  await update({ id, tsigKeyId: null });
  expect(await deletion()).toBe("done");
});
