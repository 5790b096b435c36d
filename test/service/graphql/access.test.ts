/**
 * The matrix of access: every root field and every REST path, times everyone who may knock. A field or path without a row fails it.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { GraphQLObjectType } from "graphql";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { routes } from "../../../src/rest/routes.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { type ActorName, Actors, actorNames, alice, type Fixture } from "../../setup/service/actors.ts";
import { fieldsBesideZones } from "../../setup/service/fields-beside-zones.ts";
import { fieldsOfChangeSets } from "../../setup/service/fields-of-change-sets.ts";
import { type Answer, type RestOptions, testService } from "../../setup/service/service.ts";
import { firstAnswer } from "../../setup/service/stream.ts";

const service = testService();
const actors = new Actors(service);
beforeAll(() => actors.enter());

/** What comes of it: done, Alice's things shown or hidden, or the code of the refusal. */
type Outcome =
  | "done"
  | "shown"
  | "hidden"
  | "UNAUTHENTICATED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "INVALID_VALUE"
  | "WRONG_STATE";
type Outcomes = Readonly<Record<ActorName, Outcome>>;

function outcomes(other: Outcome, readOnly: Outcome, readOnlyAdmin: Outcome, owner: Outcome, admin: Outcome): Outcomes {
  return {
    "no key": "UNAUTHENTICATED",
    "a wrong key": "UNAUTHENTICATED",
    "an expired key": "UNAUTHENTICATED",
    "a revoked key": "UNAUTHENTICATED",
    "another user": other,
    "the owner, read-only": readOnly,
    "the administrator, read-only": readOnlyAdmin,
    "the owner": owner,
    "the administrator": admin,
  };
}

const lookup = outcomes("NOT_FOUND", "shown", "shown", "shown", "shown");
const list = outcomes("hidden", "shown", "shown", "shown", "shown");
const judgement = outcomes("NOT_FOUND", "done", "done", "done", "done");
const everyone = outcomes("done", "done", "done", "done", "done");
const ownersWrite = outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "done", "done");
/** The answer does not have the name that was asked for, so it shows nothing of Alice's by which it is known. */
const changesOf = outcomes("NOT_FOUND", "done", "done", "done", "done");
const administration = outcomes("FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "done");

const ownKeys = outcomes("done", "FORBIDDEN", "FORBIDDEN", "done", "done");

const operation = outcomes("FORBIDDEN", "FORBIDDEN", "done", "FORBIDDEN", "done");

const records = `records(first: 5) { nodes { zone owner } }`;

/** Each root field: an operation upon the fixture, and what comes of it. */
const fields: Readonly<Record<string, readonly [Outcomes, (fixture: Fixture) => string]>> = {
  ...fieldsBesideZones({ lookup, list, ownersWrite }),
  ...fieldsOfChangeSets({ lookup, list, judgement, ownersWrite, outcomes }),
  "Query.user": [lookup, (f) => `{ user(by: { id: "${f.aliceId}" }) { email } }`],
  "Query.users": [list, () => "{ users(first: 1000) { nodes { email } } }"],
  "Query.domain": [lookup, (f) => `{ domain(by: { zone: "${f.zone}" }) { zone ${records} } }`],
  "Query.domains": [list, () => `{ domains(first: 100) { nodes { zone ${records} } } }`],
  "Query.record": [lookup, (f) => `{ record(id: "${f.recordId}") { zone } }`],
  "Query.records": [list, () => "{ records(first: 1000) { nodes { zone } } }"],
  "Query.change": [lookup, (f) => `{ change(id: "${f.changeId}") { zone added { nodes { rdata } } } }`],
  "Query.changes": [list, () => "{ changes(first: 1000) { nodes { zone actor } } }"],
  "Query.deletedDomain": [lookup, (f) => `{ deletedDomain(by: { zone: "${f.deletedZone}" }) { zone } }`],
  "Query.deletedDomains": [list, () => "{ deletedDomains(first: 1000) { nodes { zone } } }"],
  "Query.apiKeys": [list, () => "{ apiKeys(first: 1000) { nodes { user { email } } } }"],
  "Query.checkRecords": [
    judgement,
    (f) => `{ checkRecords(zone: "${f.zone}", records: [{ owner: "a", type: "A", rdata: "192.0.2.1" }]) { ok } }`,
  ],
  "Query.auditEntries": [list, () => "{ auditEntries(first: 1000) { nodes { operation user { email } } } }"],
  "Query.updateRefusals": [everyone, () => "{ updateRefusals { nodes { reason } } }"],
  "Query.node": [lookup, (f) => `{ node(id: "${f.aliceId}") { ... on User { email } } }`],
  "Query.viewer": [everyone, () => "{ viewer { role key { id } usage { domainCount } } }"],
  "Query.eventCursor": [everyone, () => "{ eventCursor }"],
  "Query.recordTypes": [everyone, () => '{ recordTypes(type: "MX") { type } }'],
  "Query.service": [everyone, () => "{ service { version warnings } }"],
  "Query.ttlPolicy": [everyone, () => "{ ttlPolicy { choices } }"],
  "Query.secondaries": [operation, () => "{ secondaries { nodes { name tsigKey { name } } } }"],
  "Query.secondary": [operation, (f) => `{ secondary(by: { id: "${f.secondaryId}" }) { name address } }`],
  "Query.updateClients": [everyone, () => "{ updateClients { client owners } }"],
  "Query.tsigKeys": [everyone, () => "{ tsigKeys { nodes { name } } }"],
  "Query.catalogHold": [operation, () => "{ catalogHold { removalCount } }"],
  "Query.instances": [operation, () => "{ instances { host pid version startedAt seenAt isAlive isLeader } }"],
  "Query.catalog": [operation, () => "{ catalog { zone memberCount } }"],
  "Query.restoreHold": [operation, () => "{ restoreHold { zoneCount } }"],
  "Query.secondaryConfig": [
    administration,
    (f) => `{ secondaryConfig(secondaryId: "${f.secondaryId}", server: KNOT) }`,
  ],
  "Subscription.domainChanged": [
    judgement,
    (f) =>
      `subscription { domainChanged(zone: "${f.zone}") { publication { state secondaries { secondary { name } } } } }`,
  ],
  "Mutation.createUser": [
    administration,
    (f) => `mutation { createUser(input: { email: "new.${f.zone}@example.com" }) { user { id } } }`,
  ],
  "Mutation.updateUser": [
    administration,
    (f) =>
      `mutation { updateUser(input: { id: "${f.idleUserId}", email: "to.${f.zone}@example.com" }) { user { id } } }`,
  ],
  "Mutation.setUserQuota": [
    administration,
    (f) => `mutation { setUserQuota(input: { id: "${f.idleUserId}", domains: 9 }) { user { id } } }`,
  ],
  "Mutation.deleteUser": [
    administration,
    (f) => `mutation { deleteUser(input: { id: "${f.idleUserId}" }) { deletedId } }`,
  ],
  "Mutation.createDomain": [
    ownersWrite,
    (f) => `mutation { createDomain(input: { zone: "new.${f.zone}", userId: "${f.aliceId}" }) { domain { id } } }`,
  ],
  "Mutation.deleteDomain": [
    ownersWrite,
    (f) => `mutation { deleteDomain(input: { zone: "${f.zone}" }) { deletedId } }`,
  ],
  "Mutation.transferDomain": [
    administration,
    (f) => `mutation { transferDomain(input: { zone: "${f.zone}", userId: "${f.idleUserId}" }) { domain { id } } }`,
  ],
  "Mutation.createRecord": [
    ownersWrite,
    (f) =>
      `mutation { createRecord(input: { zone: "${f.zone}", owner: "a", type: "A", rdata: "192.0.2.1" }) { record { id } } }`,
  ],
  "Mutation.updateRecord": [
    ownersWrite,
    (f) => `mutation { updateRecord(input: { id: "${f.recordId}", ttl: 300 }) { record { id } } }`,
  ],
  "Mutation.deleteRecord": [
    ownersWrite,
    (f) => `mutation { deleteRecord(input: { id: "${f.recordId}" }) { deletedId } }`,
  ],
  "Mutation.changeRecords": [
    ownersWrite,
    (f) => `mutation { changeRecords(input: { zone: "${f.zone}", remove: ["${f.recordId}"] }) { change { id } } }`,
  ],
  "Mutation.revertDomain": [
    ownersWrite,
    (f) =>
      `mutation { revertDomain(input: { zone: "${f.zone}", to: { changeId: "${f.changeId}" } }) { change { id } } }`,
  ],
  "Mutation.revertChange": [
    ownersWrite,
    (f) => `mutation { revertChange(input: { id: "${f.editId}" }) { change { id } } }`,
  ],
  "Mutation.restoreDomain": [
    ownersWrite,
    (f) => `mutation { restoreDomain(input: { by: { zone: "${f.deletedZone}" } }) { domain { zone } } }`,
  ],
  "Mutation.importZone": [
    ownersWrite,
    (f) =>
      `mutation { importZone(input: { zone: "${f.zone}", text: "a 300 IN A 192.0.2.1\\n", mode: MERGE }) { change { id } } }`,
  ],
  "Mutation.confirmCatalog": [
    administration,
    () => "mutation { confirmCatalog(input: { removalCount: 0 }) { confirmed { removalCount } } }",
  ],
  "Mutation.republishDomain": [
    ownersWrite,
    (f) => `mutation { republishDomain(input: { zone: "${f.zone}" }) { domain { id } } }`,
  ],
  "Mutation.resyncDomain": [
    ownersWrite,
    (f) => `mutation { resyncDomain(input: { zone: "${f.zone}" }) { change { id } } }`,
  ],
  "Mutation.resyncCatalog": [
    administration,
    () => 'mutation { resyncCatalog(input: { zone: "catalog.zonesmith" }) { catalog { serial } } }',
  ],
  "Mutation.confirmRestore": [
    administration,
    () => 'mutation { confirmRestore(input: { heldSince: "2026-11-22T00:00:00Z" }) { confirmed { zoneCount } } }',
  ],
  "Mutation.createTsigKey": [ownKeys, (f) => `mutation { createTsigKey(input: { name: "new.${f.zone}" }) { secret } }`],
  "Mutation.revokeTsigKey": [
    outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "done"),
    (f) => `mutation { revokeTsigKey(input: { id: "${f.tsigKeyId}" }) { tsigKey { revokedAt } } }`,
  ],
  "Mutation.createSecondary": [
    administration,
    (f) =>
      `mutation { createSecondary(input: { name: "${f.zone}", address: "127.0.0.2", port: 53 }) { secondary { id } } }`,
  ],
  "Mutation.updateSecondary": [
    administration,
    (f) => `mutation { updateSecondary(input: { id: "${f.secondaryId}", name: "to.${f.zone}" }) { secondary { id } } }`,
  ],
  "Mutation.deleteSecondary": [
    administration,
    (f) => `mutation { deleteSecondary(input: { id: "${f.secondaryId}" }) { deletedId } }`,
  ],
  "Mutation.createApiKey": [
    ownersWrite,
    (f) => `mutation { createApiKey(input: { name: "new", userId: "${f.aliceId}" }) { key } }`,
  ],
  "Mutation.revokeApiKey": [
    ownersWrite,
    (f) => `mutation { revokeApiKey(input: { id: "${f.keyId}" }) { apiKey { id } } }`,
  ],
};

type Rest = readonly [Outcomes, (fixture: Fixture) => readonly [string, RestOptions?]];
const form = (fields: Record<string, string | number>): RestOptions => ({ form: fields });
const www = (f: Fixture) => ({ zone: f.zone, owner: "www", rtype: "CNAME", rdata: `${f.zone}.`, ttl: 300 });

/** Each REST path, likewise; a path that answers in two ways has two rows. */
const paths: readonly (readonly [string, ...Rest])[] = [
  ["get /record/list", list, () => ["/record/list"]],
  ["get /record/list/:id", lookup, (f) => [`/record/list/${f.recordId}`]],
  ["post /record/add", ownersWrite, (f) => ["/record/add", form({ ...www(f), owner: "alias" })]],
  ["put /record/edit/:id", ownersWrite, (f) => [`/record/edit/${f.recordId}`, form(www(f))]],
  ["delete /record/delete/:id", ownersWrite, (f) => [`/record/delete/${f.recordId}`]],
  ["get /user/list", list, () => ["/user/list"]],
  ["get /user/list", lookup, () => [`/user/list?email=${alice}`]],
  ["get /user/list/:id", lookup, (f) => [`/user/list/${f.aliceId}`]],
  ["post /user/add", administration, (f) => ["/user/add", form({ email: `new.${f.zone}@example.com` })]],
  [
    "put /user/edit/:id",
    administration,
    (f) => [`/user/edit/${f.idleUserId}`, form({ email: `to.${f.zone}@example.com` })],
  ],
  ["delete /user/delete/:id", administration, (f) => [`/user/delete/${f.idleUserId}`]],
  ["get /domain/history/:zone", changesOf, (f) => [`/domain/history/${f.zone}`]],
  ["get /domain/history/:zone", changesOf, (f) => [`/domain/history/${f.deletedZone}?id=${f.deletedDomainId}`]],
  ["get /change/:id", lookup, (f) => [`/change/${f.changeId}`]],
  ["get /domain/list", list, () => ["/domain/list"]],
  ["get /domain/list/zone", lookup, (f) => [`/domain/list/zone?name=${f.zone}`]],
  ["get /domain/list/zone/:zoneid", lookup, (f) => [`/domain/list/zone/${f.domainId}`]],
  ["get /domain/list/user/:userid", lookup, (f) => [`/domain/list/user/${f.aliceId}`]],
  ["post /domain/add", ownersWrite, (f) => ["/domain/add", form({ zone: `new.${f.zone}`, user_id: f.aliceId })]],
  ["delete /domain/delete", ownersWrite, (f) => ["/domain/delete", form({ zone: f.zone })]],
];

/** What the next one tries upon: the fixture before, unless somebody has changed something of it. */
let untouched: Fixture | undefined;
const fixtureToTry = async () => (untouched ??= await actors.fixture());

/** Lets every actor try in turn; a refusal must leave every table as it was. */
async function tryAll(
  expected: Outcomes,
  attempt: (fixture: Fixture, key: string | null) => Promise<Answer>,
): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  let world: string | undefined;
  for (const name of actorNames) {
    const fixture = await fixtureToTry();
    world ??= await actors.world();
    const answer = await attempt(fixture, actors.key(name));
    seen[name] = outcomeOf(answer, expected[name]);
    if ((await actors.world()) === world) continue;
    if (seen[name] !== "done") seen[name] += ", and something moved";
    untouched = undefined;
    world = undefined;
  }
  return seen;
}

function outcomeOf({ status, body, text }: Answer, expected: Outcome): string {
  const code = body?.errors?.[0]?.extensions.code ?? body?.error;
  if (code) return status === 401 && code !== "UNAUTHENTICATED" ? `${code} by 401` : code;
  if (expected === "done") return "done";
  return text.includes("alice") ? "shown" : "hidden";
}

describe("every root field of the schema", () => {
  test("has a row", async () => {
    const schema = await createSchema();
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const names = roots
      .filter((root): root is GraphQLObjectType => Boolean(root))
      .flatMap((root) => Object.keys(root.getFields()).map((field) => `${root.name}.${field}`));
    expect(Object.keys(fields).toSorted()).toEqual(names.toSorted());
  });

  const tried: [string, Outcomes][] = [];

  test.each(Object.entries(fields))("%s answers each actor as decided", async (name, [expected, operation]) => {
    const ask = (document: string, key: string | null) =>
      document.startsWith("subscription") ? firstAnswer(service, document, key) : service.graphql(document, {}, key);
    expect(await tryAll(expected, (fixture, key) => ask(operation(fixture), key))).toEqual(expected);
    if (name.startsWith("Mutation.") && !operation(await fixtureToTry()).includes("dryRun"))
      tried.push([name, expected]);
  });

  test("each mutation is in the audit, by whom it was done and to whom it was refused", async () => {
    await eventually(async () => expect(await actors.missingInAudit(tried)).toEqual([]));
  });
});

describe("every REST path", () => {
  test("has a row", () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(paths.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  });

  test.each(paths)("%s answers each actor as decided", async (name, expected, request) => {
    const method = name.split(" ")[0]?.toUpperCase() ?? "";
    const seen = await tryAll(expected, (fixture, key) => {
      const [path, options] = request(fixture);
      return service.rest(method, path, { ...options, key });
    });
    expect(seen).toEqual(expected);
  });
});

test("without a valid key GraphQL answers 401 to anything, even to what it could not read", async () => {
  for (const name of ["no key", "a wrong key", "an expired key", "a revoked key"] as const) {
    for (const document of ["{ ttlPolicy { min } }", "{ __schema { types { name } } }", "{", "{ nothing }"]) {
      const { status, body } = await service.graphql(document, {}, actors.key(name));
      expect([name, status, body.errors[0].extensions.code]).toEqual([name, 401, "UNAUTHENTICATED"]);
      expect(body.data).toBeUndefined();
    }
  }
});
