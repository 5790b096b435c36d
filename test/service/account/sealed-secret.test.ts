/** Secrets of TSIG keys under SECRET_KEY: of use to signed updates, and to nobody who has the database alone. */
import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { seal, unseal } from "../../../src/account/sealed-secret.ts";
import { UpdateClient } from "../../setup/dns/update-client.ts";
import { testService } from "../../setup/service/service.ts";

const secretKey = "the-secret-key-of-an-operator-0123456789";
const service = testService({ SECRET_KEY: secretKey });

test("a secret is sealed in the database, and updates that are signed with it are made", async () => {
  const [zone, name] = ["sealed.example", "client.sealed.example"];
  await service.domain(zone, await service.user("owner@example.com"));
  const key = await service.tsigKey({ name, zones: [zone] });
  const [stored] = await service.sql<{ secret: Buffer; isSealed: boolean }>(
    `select secret, is_sealed as "isSealed" from tsig_key where name = $1`,
    [name],
  );
  expect(stored?.isSealed).toBe(true);
  expect(stored?.secret.includes(Buffer.from(key.secret))).toBe(false);
  const client = new UpdateClient(() => service.dnsPort);
  const answer = await client.update(zone, ["add host 300 A 192.0.2.1"], { key });
  expect(answer).toMatchObject({ rcode: "NOERROR" });
});

test("a secret is unsealed by the same key for the same name alone, and sealed in another way each time", () => {
  const secret = randomBytes(32);
  const sealed = seal(secret, secretKey, "one.example");
  expect(unseal(sealed, secretKey, "one.example")).toEqual(secret);
  expect(seal(secret, secretKey, "one.example")).not.toEqual(sealed);
  const refused = /cannot be unsealed; set SECRET_KEY to what it was/;
  expect(() => unseal(sealed, `${secretKey}!`, "one.example")).toThrow(refused);
  expect(() => unseal(sealed, secretKey, "two.example")).toThrow(refused);
  sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1;
  expect(() => unseal(sealed, secretKey, "one.example")).toThrow(refused);
});
