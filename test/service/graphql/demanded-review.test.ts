/** A zone that demands review: every front says the call to make, and an approved change set is applied. */
import { expect, test } from "@jest/globals";
import { mutation, testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

const set = async (review: string | null) =>
  (await service.mutate("updateDomain", { zone: zone.name, review }, "domain { review effectiveReview }")).domain;
const ofUser = (input: object) =>
  service.mutate("updateUser", { id: zone.userId, ...input }, "user { reviewers { email } }");
const keyOf = (userId: string) => service.key({ name: "test", userId });

test("a zone has its own review, or that of its owner", async () => {
  expect(await set("ONE")).toEqual({ review: "ONE", effectiveReview: "ONE" });
  expect(await set(null)).toEqual({ review: null, effectiveReview: "NONE" });
  await ofUser({ review: "TWO" });
  const { domain } = await service.data(`{ domain(by: { zone: "${zone.name}" }) { review effectiveReview } }`);
  expect(domain).toEqual({ review: null, effectiveReview: "TWO" });
  await ofUser({ review: "NONE" });
  const nothing = { input: { zone: zone.name } };
  expect(await service.refusal(mutation("updateDomain", "domain { id }"), nothing)).toBe("MISSING_FIELD");
});

test("every front refuses a direct change with the call to make, but for a key of an ACME client that is exempt", async () => {
  await zone.add(["a 300 A 192.0.2.1"]);
  await set("CHANGE_SET");
  const before = await zone.read();
  const key = await keyOf(zone.userId);
  const input = { zone: zone.name, owner: "b", type: "A", rdata: "192.0.2.1" };
  const { body } = await service.graphql(mutation("createRecord", "record { id }"), { input }, key);
  expect(body.errors[0].extensions.code).toBe("REVIEW_REQUIRED");
  expect(body.errors[0].message).toContain(`createChangeSet(input: { title: "…", zones: [{ zone: "${zone.name}"`);
  const form = { zone: zone.name, owner: "b", rtype: "A", rdata: "192.0.2.1", ttl: 300 };
  for (const answer of [
    await service.rest("POST", "/record/add", { form, key }),
    await service.rest("DELETE", "/domain/delete", { form: { zone: zone.name }, key }),
  ])
    expect([answer.status, answer.body.error]).toEqual([403, "REVIEW_REQUIRED"]);
  const lines = ["add _acme-challenge 60 TXT token"];
  expect((await zone.client.update(zone.name, lines, { key: zone.key })).rcode).toBe("REFUSED");
  expect(await zone.read()).toEqual(before);
  expect((await zone.refusals())[0]).toMatchObject({ code: "REVIEW_REQUIRED", rcode: "REFUSED" });
  const scope = { userId: zone.userId, owners: ["_acme-challenge*"], exemptFromReview: true };
  const exempt = await zone.makeKey({ name: `acme.${zone.name}`, ...scope });
  expect((await zone.client.update(zone.name, lines, { key: exempt })).rcode).toBe("NOERROR");
});

test("a change set is applied once a user has approved it who reviews what its owner has", async () => {
  const email = `reviewer.${zone.name}@example.com`;
  const reviewerId = await service.user(email);
  expect((await ofUser({ review: "ONE", reviewerIds: [reviewerId] })).user.reviewers).toEqual([{ email }]);
  const [author, reviewer] = [await keyOf(zone.userId), await keyOf(reviewerId)];
  const input = { title: "t", zones: [{ zone: zone.name, add: [{ owner: "b", type: "A", rdata: "192.0.2.1" }] }] };
  const created = "changeSet { id approvalsNeeded } preview { fingerprint }";
  const { changeSet, preview } = await service.mutate("createChangeSet", input, created, author);
  expect(changeSet.approvalsNeeded).toBe(1);
  const { id } = changeSet;
  const { fingerprint } = preview;
  const state = async (name: string, more: object, by: string) =>
    (await service.mutate(name, { id, ...more }, "changeSet { state }", by)).changeSet.state;
  await state("submitChangeSet", {}, author);
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
    changeSetPreview: { fingerprint, addedCount: 1, applicable: true },
  });
  expect(await state("reviewChangeSet", { verdict: "APPROVE", fingerprint }, reviewer)).toBe("APPROVED");
  const application = { id, expectedFingerprint: fingerprint };
  const apply = mutation("applyChangeSet", "changeSet { state }");
  expect(await service.refusal(apply, { input: application }, reviewer)).toBe("FORBIDDEN");
  expect(await state("applyChangeSet", application, author)).toBe("APPLIED");
});
