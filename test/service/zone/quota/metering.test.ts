/**
 * The figures of users: they are kept from the moment a quota begins to apply, whoever writes at that moment, and follow every change.
 * Changes of other users take no additional statement.
 */
import { expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import type { Quota } from "../../../../src/session/quota.ts";
import { transaction } from "../../../../src/session/transaction.ts";
import { createDomain } from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { meterUsers, setUserQuota } from "../../../../src/zone/quota/metering.ts";
import { countUsage, usageOfUsers } from "../../../../src/zone/quota/usage.ts";
import fc, { runs } from "../../../setup/basics/property.ts";
import { waitsForLock } from "../../../setup/database/database.ts";
import { anyActs, History } from "../../../setup/zones/any-history.ts";
import { drift, limit } from "../../../setup/zones/quota.ts";
import { policy, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const service = (quota: Partial<Quota> = {}) => zones.session(undefined, { quota: { ...policy.quota, ...quota } });
const metered = async () => {
  const statement = 'select email from "user" u join user_usage q on q.user_id = u.id order by email';
  return (await zones.sql<{ email: string }>(statement)).map(({ email }) => email.replace("@example.com", ""));
};
const newUser = async (name: string, quota: Partial<Quota> = {}) =>
  (await createUser(service(quota), `${name}@example.com`)).id;

test("a default applies to existing users at the next start, and to new users; it can be removed", async () => {
  const one = await newUser("one");
  await createDomain(zones.session(), one, "one.example");
  await meterUsers(service());
  expect(await metered()).toEqual([]);
  await meterUsers(service({ domains: 3 }));
  const two = await newUser("two", { domains: 3 });
  expect(await metered()).toEqual(["one", "two", "zones"]);
  await createDomain(service({ domains: 3 }), two, "two.example");
  expect(await usageOfUsers(zones.session(), [one, two])).toEqual([
    { domains: 1, records: 4, changes: 1 },
    { domains: 1, records: 4, changes: 0 },
  ]);
  await limit(zones, { records: 4 }, two);
  await meterUsers(service());
  expect(await metered()).toEqual(["two"]);
  await limit(zones, { records: "default" }, two);
  expect(await metered()).toEqual([]);
  // No limit for one user, where others have one by default.
  await limit(zones, { domains: null }, one);
  await meterUsers(service({ domains: 3 }));
  expect(await metered()).toEqual(["two", "zones"]);
  await meterUsers(service());
  expect(await drift(zones)).toEqual([]);
});

test("a quota that is set and removed beside writers loses none of their changes", async () => {
  const userId = await newUser("busy");
  const names = Array.from({ length: 8 }, (_, at) => `busy${at}.example`);
  for (const name of names) await createDomain(zones.session(), userId, name);
  let isDone = false;
  const writers = names.map(async (zone, writer) => {
    for (let n = 0; !isDone; n += 1) {
      await zones.add(zone, `h${n} A 192.0.2.1`);
      await createDomain(zones.session(), userId, `n${n}.w${writer}.example`);
      if (n % 2 === 0) await zones.remove(`n${n}.w${writer}.example`);
    }
  });
  for (let round = 0; round < 6; round += 1) {
    await limit(zones, { records: 1_000_000 }, userId);
    const [kept] = await usageOfUsers(zones.session(), [userId]);
    expect(kept?.domains).toBeGreaterThanOrEqual(8);
    if (round < 5) await limit(zones, { records: "default" }, userId);
  }
  isDone = true;
  await Promise.all(writers);
  expect(await drift(zones)).toEqual([]);
  const { domains, records } = (await countUsage(zones.session(), [userId])).get(userId) ?? {};
  expect(await usageOfUsers(zones.session(), [userId])).toMatchObject([{ domains, records }]);
});

test("a domain that is created while the figures of its user are counted is included", async () => {
  const userId = await newUser("counted");
  let creation: Promise<unknown> = Promise.resolve();
  await transaction(zones.session(), async (inner) => {
    await setUserQuota(inner, userId, { domains: 5 });
    creation = createDomain(zones.session(), userId, "counted.example");
    await waitsForLock(zones);
  });
  await creation;
  expect(await usageOfUsers(zones.session(), [userId])).toEqual([{ domains: 1, records: 4, changes: 0 }]);
  expect(await drift(zones)).toEqual([]);
});

test("after any history the figures equal the counts, with and without quotas", async () => {
  await limit(zones, { domains: 1_000_000 });
  let acts = 0;
  await fc.assert(
    fc.asyncProperty(anyActs, async (list) => {
      const history = await History.begin(zones);
      for (const act of list) await history.run(act);
      acts += list.length;
      expect(await drift(zones)).toEqual([]);
    }),
    { numRuns: runs(6) },
  );
  expect(acts).toBeGreaterThan(8);
});
