import { expect, test } from "@jest/globals";
import { forgetKeys } from "../../../src/account/key-cache.ts";
import { transferAccess } from "../../../src/secondary/transfer-access.ts";
import type { Session } from "../../../src/session/session.ts";

/** A session that answers each read of the access, and counts them. */
function sessionOf(access: object) {
  const driver = {};
  const em = { getDriver: () => driver, isInTransaction: () => false };
  let reads = 0;
  const read = async () => {
    reads += 1;
    return [[JSON.stringify(access)]];
  };
  const session = { em, singles: { read }, now: () => new Date(0) } as unknown as Session;
  return { session, reads: () => reads };
}

const address = "192.0.2.1";
const ofSecondary = { isSecondary: true, fitsDifferencesTo: null };

test("the key of a secondary is looked up once for the zones that it asks for, and again after a change of keys", async () => {
  const { session, reads } = sessionOf(ofSecondary);
  const ask = (zone: string) => transferAccess(session, zone, undefined, { address, keyName: "k" });
  for (const zone of ["a.example", "b.example"]) expect(await ask(zone)).toEqual({ ...ofSecondary, mayTransfer: true });
  expect(reads()).toBe(1);
  forgetKeys(session.em);
  await ask("c.example");
  expect(reads()).toBe(2);
});

test("access that depends on the zone is read each time: for differences, and of an address without a key", async () => {
  const { session, reads } = sessionOf({ ...ofSecondary, fitsDifferencesTo: 2 });
  for (const zone of ["a.example", "b.example"]) {
    await transferAccess(session, zone, 1, { address, keyName: "k" });
    await transferAccess(session, zone, undefined, { address, keyName: undefined });
  }
  expect(reads()).toBe(4);
});
