import { expect, test } from "@jest/globals";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { secondaryEndpoints } from "../../../src/secondary/endpoint.ts";
import { createSecondary } from "../../../src/secondary/registry.ts";
import { system } from "../../../src/session/authorization.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const sessionWith = (secretKey: string) => zones.session(system, { secretKey });

test("a key that cannot be read for SECRET_KEY is a problem of that key; one of the database is not", async () => {
  const session = sessionWith("the-secret-key-of-an-operator-0123456789");
  const { tsigKey } = await createTsigKey(session, "key.example", "hmac-sha256");
  const flags = { notify: true, requiredForLive: true, allowUnsignedTransfer: false, indirect: false };
  await createSecondary(session, { ...flags, name: "s", address: "192.0.2.1", port: 53, tsigKeyId: tsigKey.id });
  expect(await secondaryEndpoints(session)).toMatchObject([{ key: { name: "key.example" }, keyError: undefined }]);
  const keyError = expect.stringContaining("set SECRET_KEY to what it was");
  expect(await secondaryEndpoints(sessionWith("another-key-0123456789-0123456789"))).toMatchObject([
    { key: undefined, keyError },
  ]);
  await zones.sql("alter table tsig_key rename to tsig_key_away");
  await expect(secondaryEndpoints(session)).rejects.toThrow(/relation .*tsig_key.* does not exist/);
});
