/** What needs somebody, by GraphQL: each cause while it lasts, for those alone who see what it is about. */
import { beforeAll, expect, test } from "@jest/globals";
import { clockAhead } from "../../setup/basics/clock.ts";
import { type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

const service = testService({ PUBLICATION_LATE_SECONDS: "60" });
const sightings = new Sightings(service);
const zone = "needy.example.com";
let userId: string;
let owner: string;
let reader: string;
let stranger: string;

beforeAll(async () => {
  userId = await service.user("needy@example.com");
  owner = await service.key({ name: "owner", userId });
  reader = await service.key({ name: "reader", userId, readOnly: true });
  stranger = await service.key({ name: "stranger", userId: await service.user("other@example.com") });
  await service.domain(zone, userId);
});

const fields = "kind count at secondary { name } changeSet { title } refusal { keyName code zone } apiKey { name }";
const causes = async (key?: string): Promise<Json[]> =>
  (await service.data(`{ attention { ${fields} } }`, {}, key)).attention;
const kinds = async (key?: string) => (await causes(key)).map(({ kind }) => kind);

test("no secondary is the administrator's concern until there is one", async () => {
  expect([await kinds(), await kinds(owner)]).toEqual([["NO_SECONDARY"], []]);
  await sightings.secondary("ns1");
  expect(await kinds()).toEqual([]);
});

test("late zones are counted by secondary for an administrator, and together for their user", async () => {
  await sightings.age(zone, 100);
  const [late, ofUser] = [await causes(), await causes(owner)];
  expect(late).toMatchObject([{ kind: "LATE_SECONDARY", count: 1, secondary: { name: "ns1" } }]);
  expect(ofUser).toMatchObject([{ kind: "LATE_ZONES", count: 1, secondary: null, at: late[0].at }]);
  expect(await kinds(stranger)).toEqual([]);
});

test("a review waits for those who may give it, until they have", async () => {
  const edit = { zone, add: [{ owner: "a", type: "A", rdata: "192.0.2.1" }] };
  const author = await service.key({ name: "author", userId });
  const input = { title: "Retire the VPN", requestedApprovals: 2, zones: [{ edit }] };
  const of = "changeSet { id } preview { fingerprint }";
  const { changeSet, preview } = await service.mutate("createChangeSet", input, of, author);
  await service.mutate("submitChangeSet", { changeSetId: changeSet.id }, "changeSet { state }", author);
  const isAsked = async (key?: string) =>
    (await causes(key)).some(({ kind, changeSet }) => kind === "REVIEW" && changeSet.title === input.title);
  const asked = async () => Promise.all([owner, author, reader, stranger, undefined].map(isAsked));
  expect(await asked()).toEqual([true, false, false, false, true]);
  const verdict = {
    changeSetId: changeSet.id,
    verdict: "APPROVE",
    text: "",
    expectedFingerprint: preview.fingerprint,
  };
  await service.mutate("reviewChangeSet", verdict, "changeSet { state }", owner);
  expect(await asked()).toEqual([false, false, false, false, true]);
});

test("refusals of one key for one reason are one cause from three in an hour", async () => {
  const refuse = (keyName: string, minutes: number) =>
    service.sql(
      `insert into update_refusal (domain_id, zone, code, rcode, reason, address, protocol, key_name, asked, created_at)
      select id, zone, 'FORBIDDEN', 'REFUSED', 'because', '192.0.2.1', 'udp', $1, '{}', now() - make_interval(mins => $2)
      from domain where zone = $3`,
      [keyName, minutes, zone],
    );
  for (const minutes of [61, 50, 40]) await refuse("certbot", minutes);
  await refuse("another", 1);
  expect(await kinds(owner)).not.toContain("REFUSALS");
  await refuse("certbot", 3);
  const refusal = { keyName: "certbot", code: "FORBIDDEN", zone };
  const cause = expect.objectContaining({ kind: "REFUSALS", count: 3, refusal });
  expect([await causes(owner), await causes()]).toEqual([
    expect.arrayContaining([cause]),
    expect.arrayContaining([cause]),
  ]);
  expect(await kinds(stranger)).toEqual([]);
});

test("a key that expires soon is the concern of its user, after what is more urgent", async () => {
  const inDays = (days: number) => clockAhead(days * 86_400_000)().toISOString();
  await service.key({ name: "ending", userId, expiresAt: inDays(12) });
  await service.key({ name: "later", userId, expiresAt: inDays(15) });
  const ofUser = await causes(owner);
  expect(ofUser.at(-1)).toMatchObject({ kind: "EXPIRING_KEY", apiKey: { name: "ending" } });
  expect(ofUser.map(({ kind }) => kind)).toEqual(["LATE_ZONES", "REFUSALS", "EXPIRING_KEY"]);
  expect([await kinds(), await kinds(stranger)].flat()).not.toContain("EXPIRING_KEY");
});

test("a catalog that is held back is the administrator's concern", async () => {
  await service.sql("update catalog_guard set held_since = now(), members = 100, removals = 60");
  expect((await causes())[1]).toMatchObject({ kind: "HELD_CATALOG", count: 60 });
  expect(await kinds(owner)).not.toContain("HELD_CATALOG");
});
