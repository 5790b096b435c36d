/**
 * Decisions that SQL makes for many rows and TypeScript for one value are the same on generated cases. `drift` (test/setup/zones/quota.ts)
 * compares the stored figures, review and TTLs of domains with computed ones.
 */
import { expect, test } from "@jest/globals";
import { type Actor, seesZone, seesZoneOf } from "../../../src/session/authorization.ts";
import { isLimited, isLimitedIn, type Quota, quotaInForce, quotaNames } from "../../../src/session/quota.ts";
import { type Sql, sql } from "../../../src/sql/sql.ts";
import { positionIn, positionOf } from "../../../src/zone/record.ts";
import fc, { runs } from "../../setup/basics/property.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const inSql = async <Value>(expression: Sql<Value>) =>
  (await sql<{ value: Value }>`select ${expression} as value`.run(zones.session()))[0]?.value;

const owner = fc.constantFrom("@", "a", "*", "a.b", "xn--bcher-kva", "soa");
const type = fc.constantFrom("SOA", "A", "NS", "TXT", "TYPE65280");

test("where an RRset is in the order of a zone", async () => {
  const position = sql.raw<string>(positionIn("r.owner", "r.type"));
  await fc.assert(
    fc.asyncProperty(owner, type, async (owner, type) => {
      const stored = sql<string>`(select ${position} from (values (${owner}, ${type})) r (owner, type))`;
      expect(await inSql(stored)).toBe(positionOf({ owner, type }));
    }),
    { numRuns: runs(30) },
  );
});

const limits = fc.oneof(fc.constant(null), fc.nat(5));
const someQuota = (requiredKeys: [] | undefined) =>
  fc.record(Object.fromEntries(quotaNames.map((name) => [name, limits])), { requiredKeys } as never);

test("whether a quota limits a user", async () => {
  await fc.assert(
    fc.asyncProperty(someQuota(undefined), someQuota([]), async (defaults, own) => {
      const merged = sql`${JSON.stringify(defaults)}::jsonb || ${JSON.stringify(own)}::jsonb`;
      expect(await inSql(isLimitedIn(merged))).toBe(isLimited(quotaInForce(own as Partial<Quota>, defaults as Quota)));
    }),
    { numRuns: runs(50) },
  );
});

const actor: fc.Arbitrary<Actor> = fc.oneof(
  fc.constantFrom("administrator", "system").map((role) => ({ role, userId: null, readOnly: false, name: role })),
  fc
    .record({
      userId: fc.constantFrom(1, 2),
      zones: fc.option(fc.subarray(["a.example", "b.example"]), { nil: undefined }),
    })
    .map(
      ({ userId, zones }) =>
        ({ role: "user", userId, readOnly: false, name: "user", ...(zones && { zones }) }) as const,
    ),
);

test("who sees a zone", async () => {
  await fc.assert(
    fc.asyncProperty(
      actor,
      fc.constantFrom(1, 2, null),
      fc.constantFrom("a.example", "b.example"),
      async (actor, userId, zone) => {
        const sight = seesZone(actor, sql`${userId}::bigint`, sql`${zone}::text`);
        expect((await inSql(sql<boolean>`coalesce(${sight}, false)`)) ?? false).toBe(seesZoneOf(actor, userId, zone));
      },
    ),
    { numRuns: runs(60) },
  );
});
