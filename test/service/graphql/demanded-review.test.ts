/**
 * A zone that demands review, knocked at from outside: GraphQL, REST and dynamic updates are refused with the call to make, and a change set
 * that another user has approved is applied.
 */
import { expect, test } from "@jest/globals";
import { mutation, testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

const update = mutation("updateDomain", "domain { review effectiveReview user { review } }");
const updateUser = mutation("updateUser", "user { review reviewers { email } }");
const create = `mutation ($input: CreateChangeSetInput!) { createChangeSet(input: $input) {
  changeSet { id approvalsNeeded } preview { fingerprint } } }`;
const step = (name: string) =>
  `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { changeSet { state } } }`;

async function keyOf(userId: string): Promise<string> {
  const document = mutation("createApiKey", "key");
  return (await service.data(document, { input: { name: "test", userId } })).createApiKey.key;
}

test("a zone has its own review, or that of its owner", async () => {
  const set = async (review: string | null) =>
    (await service.data(update, { input: { zone: zone.name, review } })).updateDomain.domain;
  expect(await set("ONE")).toEqual({ review: "ONE", effectiveReview: "ONE", user: { review: "NONE" } });
  expect(await set(null)).toMatchObject({ review: null, effectiveReview: "NONE" });
  await service.data(updateUser, { input: { id: zone.userId, review: "TWO" } });
  const read = `{ domain(by: { zone: "${zone.name}" }) { review effectiveReview } }`;
  expect((await service.data(read)).domain).toEqual({ review: null, effectiveReview: "TWO" });
  await service.data(updateUser, { input: { id: zone.userId, review: "NONE" } });
  expect(await service.refusal(update, { input: { zone: zone.name } })).toBe("MISSING_FIELD");
});

test("every front refuses a direct change with the call to make, but for a key of an ACME client that is exempt", async () => {
  await zone.add(["a 300 A 192.0.2.1"]);
  await service.data(update, { input: { zone: zone.name, review: "CHANGE_SET" } });
  const before = await zone.read();
  const key = await keyOf(zone.userId);
  const record = { zone: zone.name, owner: "b", type: "A", rdata: "192.0.2.1" };
  const createRecord = mutation("createRecord", "record { id }");
  const { body } = await service.graphql(createRecord, { input: record }, key);
  expect(body.errors[0].extensions.code).toBe("REVIEW_REQUIRED");
  expect(body.errors[0].message).toContain(`createChangeSet(input: { title: "…", zones: [{ zone: "${zone.name}"`);
  const { type: rtype, ...rest } = record;
  const added = await service.rest("POST", "/record/add", { form: { ...rest, rtype, ttl: 300 }, key });
  expect([added.status, added.body.error]).toEqual([403, "REVIEW_REQUIRED"]);
  const deleted = await service.rest("DELETE", "/domain/delete", { form: { zone: zone.name }, key });
  expect([deleted.status, deleted.body.error]).toEqual([403, "REVIEW_REQUIRED"]);
  const lines = ["add _acme-challenge 60 TXT token"];
  expect((await zone.client.update(zone.name, lines, { key: zone.key })).rcode).toBe("REFUSED");
  expect(await zone.read()).toEqual(before);
  expect((await zone.refusals())[0]).toMatchObject({ code: "REVIEW_REQUIRED", rcode: "REFUSED" });
  const exempt = await zone.makeKey({
    name: `acme.${zone.name}`,
    userId: zone.userId,
    owners: ["_acme-challenge*"],
    exemptFromReview: true,
  });
  expect((await zone.client.update(zone.name, lines, { key: exempt })).rcode).toBe("NOERROR");
});

test("a change set is applied once a user has approved it who reviews what its owner has", async () => {
  const reviewerId = await service.user(`reviewer.${zone.name}@example.com`);
  const named = await service.data(updateUser, {
    input: { id: zone.userId, review: "ONE", reviewerIds: [reviewerId] },
  });
  expect(named.updateUser.user.reviewers).toEqual([{ email: `reviewer.${zone.name}@example.com` }]);
  const [author, reviewer] = [await keyOf(zone.userId), await keyOf(reviewerId)];
  const zones = [{ zone: zone.name, add: [{ owner: "b", type: "A", rdata: "192.0.2.1" }] }];
  const { changeSet, preview } = (await service.data(create, { input: { title: "t", zones } }, author)).createChangeSet;
  expect(changeSet.approvalsNeeded).toBe(1);
  const { id } = changeSet;
  await service.data(step("submitChangeSet"), { input: { id } }, author);
  const seen = await service.data(
    `{ changeSet(id: "${id}") { can user { email } zones { nodes { zone domain { zone } } } }
      changeSetPreview(id: "${id}") { fingerprint addedCount applicable } }`,
    {},
    reviewer,
  );
  expect(seen).toEqual({
    changeSet: {
      can: ["COMMENTED", "APPROVED", "CHANGES_REQUESTED"],
      user: null,
      zones: { nodes: [{ zone: zone.name, domain: null }] },
    },
    changeSetPreview: { fingerprint: preview.fingerprint, addedCount: 1, applicable: true },
  });
  const input = { id, verdict: "APPROVE", fingerprint: preview.fingerprint };
  const approved = await service.data(step("reviewChangeSet"), { input }, reviewer);
  expect(approved.reviewChangeSet.changeSet.state).toBe("APPROVED");
  const application = { input: { id, expectedFingerprint: preview.fingerprint } };
  expect(await service.refusal(step("applyChangeSet"), application, reviewer)).toBe("FORBIDDEN");
  expect((await service.data(step("applyChangeSet"), application, author)).applyChangeSet.changeSet.state).toBe(
    "APPLIED",
  );
  await service.data(updateUser, { input: { id: zone.userId, review: "NONE" } });
});
