/**
 * A zone that demands review, knocked at from outside: GraphQL, REST and dynamic updates are refused with the call to make, and a change set
 * that another user has approved is applied.
 */
import { expect, test } from "@jest/globals";
import { mutation, testService } from "../../../setup/service/service.ts";
import { updateZone } from "../../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

const demand = (review: string | null, selection = "domain { id }") =>
  service.mutate("updateDomain", { by: { zone: zone.name }, review }, selection);
const ofOwner = (input: object) =>
  service.mutate("updateUser", { by: { id: zone.userId }, ...input }, "user { reviewers { email } }");
const keyOf = async (userId: string) => service.key({ name: "test", userId });

test("a zone has its own review, or that of its owner", async () => {
  const set = async (review: string | null) =>
    (await demand(review, "domain { review requiredApprovals user { review } }")).domain;
  expect(await set("ONE")).toEqual({ review: "ONE", requiredApprovals: 1, user: { review: "NONE" } });
  expect(await set(null)).toMatchObject({ review: null, requiredApprovals: null });
  await ofOwner({ review: "TWO" });
  const read = `{ domain(by: { zone: "${zone.name}" }) { review requiredApprovals } }`;
  expect((await service.data(read)).domain).toEqual({ review: null, requiredApprovals: 2 });
  await ofOwner({ review: "NONE" });
  const nothing = mutation("updateDomain", "domain { id }");
  expect(await service.refusal(nothing, { input: { by: { zone: zone.name } } })).toBe("MISSING_FIELD");
});

test("every front refuses a direct change with the call to make, but for a key of an ACME client that is exempt", async () => {
  await zone.add(["a 300 A 192.0.2.1"]);
  await demand("CHANGE_SET");
  const before = await zone.read();
  const key = await keyOf(zone.userId);
  const record = { zone: zone.name, owner: "b", rdata: "192.0.2.1" };
  const input = { ...record, type: "A" };
  const { body } = await service.graphql(mutation("createRecord", "record { id }"), { input }, key);
  expect(body.errors[0].extensions.code).toBe("REVIEW_REQUIRED");
  expect(body.errors[0].message).toContain(
    `createChangeSet(input: { title: "…", zones: [{ edit: { zone: "${zone.name}"`,
  );
  for (const { status, body } of [
    await service.rest("POST", "/record/add", { form: { ...record, rtype: "A", ttl: 300 }, key }),
    await service.rest("DELETE", "/domain/delete", { form: { zone: zone.name }, key }),
  ])
    expect([status, body.error]).toEqual([403, "REVIEW_REQUIRED"]);
  const lines = ["add _acme-challenge 60 TXT token"];
  expect((await zone.client.update(zone.name, lines, { key: zone.key })).rcode).toBe("REFUSED");
  expect(await zone.read()).toEqual(before);
  expect((await zone.refusals())[0]).toMatchObject({ code: "REVIEW_REQUIRED", rcode: "REFUSED" });
  const scope = { userId: zone.userId, owners: ["_acme-challenge*"], exemptFromReview: true };
  const exempt = await service.tsigKey({ name: `acme.${zone.name}`, ...scope });
  expect((await zone.client.update(zone.name, lines, { key: exempt })).rcode).toBe("NOERROR");
});

test("a change set is applied once a user has approved it who reviews what its owner has", async () => {
  const email = `reviewer.${zone.name}@example.com`;
  const reviewerId = await service.user(email);
  const named = await ofOwner({ review: "ONE", reviewerIds: [reviewerId] });
  expect(named.user.reviewers).toEqual([{ email }]);
  const [author, reviewer] = [await keyOf(zone.userId), await keyOf(reviewerId)];
  const zones = [{ edit: { zone: zone.name, add: [{ owner: "b", type: "A", rdata: "192.0.2.1" }] } }];
  const selection = "changeSet { id requiredApprovals } preview { fingerprint }";
  const { changeSet, preview } = await service.mutate("createChangeSet", { title: "t", zones }, selection, author);
  expect(changeSet.requiredApprovals).toBe(1);
  const [{ id }, { fingerprint }] = [changeSet, preview];
  const step = async (name: string, input: object, key: string) =>
    (await service.mutate(name, { changeSetId: id, ...input }, "changeSet { state }", key)).changeSet.state;
  await step("submitChangeSet", {}, author);
  const read = `{ changeSet(id: "${id}") { availableActions user { email } zones { nodes { zone domain { zone } } } }
    changeSetPreview(id: "${id}") { fingerprint addedCount applicable } }`;
  const availableActions = ["COMMENT", "APPROVE", "REQUEST_CHANGES"];
  expect(await service.data(read, {}, reviewer)).toEqual({
    changeSet: { availableActions, user: null, zones: { nodes: [{ zone: zone.name, domain: null }] } },
    changeSetPreview: { fingerprint, addedCount: 1, applicable: true },
  });
  expect(await step("reviewChangeSet", { verdict: "APPROVE", expectedFingerprint: fingerprint }, reviewer)).toBe(
    "APPROVED",
  );
  const application = { expectedFingerprint: fingerprint };
  await expect(step("applyChangeSet", application, reviewer)).rejects.toThrow("FORBIDDEN");
  expect(await step("applyChangeSet", application, author)).toBe("APPLIED");
  await ofOwner({ review: "NONE" });
});
