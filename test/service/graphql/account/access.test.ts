/** The matrix of access: every root field and every REST path, each a row, times everyone who may knock. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createSchema } from "../../../../src/graphql/schema/schema.ts";
import { routes } from "../../../../src/rest/routes.ts";
import { inAnHour } from "../../../setup/basics/clock.ts";
import { eventually } from "../../../setup/basics/eventually.ts";
import { type ActorName, Actors, actorNames, alice, type Fixture } from "../../../setup/service/actors.ts";
import { type Answer, type RestOptions, testService } from "../../../setup/service/service.ts";
import { firstAnswer } from "../../../setup/service/stream.ts";

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

/** As `ownersWrite`, of a mutation that finds nothing to do: who may do it is told so by this code. */
const once = (outcome: Outcome) => outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", outcome, outcome);

/** A text of the tables below with a fixture in place of its `{names}`. */
const filled = (text: string, fixture: Fixture) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => fixture[name as keyof Fixture]);

/** Each root field that reads: what comes of it, and an operation upon the fixture. */
const reads: Readonly<Record<string, readonly [Outcomes, string]>> = {
  "Query.user": [lookup, '{ user(by: { id: "{aliceId}" }) { email } }'],
  "Query.users": [list, "{ users(first: 1000) { nodes { email } } }"],
  "Query.domain": [lookup, '{ domain(by: { zone: "{zone}" }) { zone records { nodes { zone owner } } } }'],
  "Query.domains": [list, "{ domains(first: 100) { nodes { zone records(first: 5) { nodes { zone owner } } } } }"],
  "Query.record": [lookup, '{ record(id: "{recordId}") { zone } }'],
  "Query.records": [list, "{ records(first: 1000) { nodes { zone } } }"],
  "Query.change": [lookup, '{ change(id: "{changeId}") { zone added { nodes { rdata } } } }'],
  "Query.changes": [list, "{ changes(first: 1000) { nodes { zone actor } } }"],
  "Query.changeSet": [
    lookup,
    '{ changeSet(id: "{changeSetId}") { title zones { nodes { zone edits { nodes { rdata } } } } } }',
  ],
  "Query.changeSets": [list, "{ changeSets(first: 100) { nodes { title zones { nodes { zone } } } } }"],
  "Query.changeSetPreview": [
    lookup,
    '{ changeSetPreview(id: "{changeSetId}") { fingerprint zones { nodes { zone addedCount } } } }',
  ],
  "Query.zoneHistory": [lookup, '{ zoneHistory(by: { zone: "{deletedZone}" }) { zone } }'],
  "Query.deletedDomains": [list, "{ deletedDomains(first: 1000) { nodes { zone } } }"],
  "Query.templates": [list, "{ templates(first: 1000) { nodes { name } } }"],
  "Query.template": [lookup, '{ template(by: { id: "{templateId}" }) { name } }'],
  "Query.webhooks": [list, "{ webhooks(first: 100) { nodes { name deliveries(first: 5) { nodes { payload } } } } }"],
  "Query.webhook": [lookup, '{ webhook(id: "{webhookId}") { name url } }'],
  "Query.apiKeys": [list, "{ apiKeys(first: 1000) { nodes { user { email } } } }"],
  "Query.checkRecords": [
    judgement,
    '{ checkRecords(zone: "{zone}", records: [{ owner: "a", type: "A", rdata: "192.0.2.1" }]) { ok } }',
  ],
  "Query.auditEntries": [list, "{ auditEntries(first: 1000) { nodes { operation user { email } } } }"],
  "Query.updateRefusals": [everyone, "{ updateRefusals { nodes { reason } } }"],
  "Query.activity": [
    list,
    '{ activity(filter: { zone: "{zone}" }) { entries { kind node { ... on Change { zone } } } } }',
  ],
  "Query.findings": [judgement, '{ findings(filter: { zone: "{zone}" }) { nodes { code } } }'],
  "Query.search": [list, '{ search(text: "{zone}") { domains { nodes { zone } } records { nodes { zone } } } }'],
  "Query.attention": [everyone, "{ attention { kind count apiKey { name } } }"],
  "Query.node": [lookup, '{ node(id: "{aliceId}") { ... on User { email } } }'],
  "Query.viewer": [everyone, "{ viewer { role key { id } } }"],
  "Query.eventCursor": [everyone, "{ eventCursor }"],
  "Query.recordTypes": [everyone, '{ recordTypes(type: "MX") { type } }'],
  "Query.service": [everyone, "{ service { version warnings } }"],
  "Query.ttlPolicy": [everyone, "{ ttlPolicy { choices } }"],
  "Query.secondaries": [operation, "{ secondaries { nodes { name tsigKey { name } } } }"],
  "Query.secondary": [operation, '{ secondary(by: { id: "{secondaryId}" }) { name address } }'],
  "Query.updateClients": [everyone, "{ updateClients { client owners } }"],
  "Query.tsigKeys": [everyone, "{ tsigKeys { nodes { name } } }"],
  "Query.pendingCatalogRemoval": [operation, "{ pendingCatalogRemoval { removalCount } }"],
  "Query.instances": [operation, "{ instances { host pid version startedAt seenAt isAlive isLeader } }"],
  "Query.catalog": [operation, "{ catalog { zone memberCount } }"],
  "Query.catalogs": [operation, "{ catalogs { zone memberCount } }"],
  "Query.pendingRestore": [operation, "{ pendingRestore { zoneCount } }"],
  "Query.secondaryConfig": [administration, '{ secondaryConfig(by: { id: "{secondaryId}" }, server: KNOT) }'],
  "Subscription.domainChanged": [
    judgement,
    'subscription { domainChanged(zone: "{zone}") { publication { state secondaries { name } } } }',
  ],
  "Subscription.changeSetChanged": [
    judgement,
    'subscription { changeSetChanged(id: "{changeSetId}") { title zones { nodes { zone } } } }',
  ],
};

const newPart = 'zones: [{ edit: { zone: "{zone}", remove: ["{recordId}"] } }]';

/** Each mutation: what comes of it, and its input. */
const mutations: Readonly<Record<string, readonly [Outcomes, string]>> = {
  createUser: [administration, 'email: "new.{zone}@example.com"'],
  updateUser: [administration, 'by: { id: "{idleUserId}" }, email: "to.{zone}@example.com"'],
  setUserQuota: [administration, 'by: { id: "{idleUserId}" }, domains: { limit: 9 }'],
  deleteUser: [administration, 'by: { id: "{idleUserId}" }'],
  createDomain: [ownersWrite, 'zone: "new.{zone}", userId: "{aliceId}"'],
  // This service has no RESOLVER.
  checkServers: [once("FORBIDDEN"), 'by: { zone: "{zone}" }'],
  updateDomain: [ownersWrite, 'by: { zone: "{zone}" }, labels: [{ name: "of", value: "alice" }]'],
  deleteDomain: [ownersWrite, 'by: { zone: "{zone}" }'],
  restoreDomain: [ownersWrite, 'by: { zone: "{deletedZone}" }'],
  transferDomain: [administration, 'by: { zone: "{zone}" }, userId: "{idleUserId}"'],
  createRecord: [ownersWrite, 'zone: "{zone}", owner: "a", type: "A", rdata: "192.0.2.1"'],
  updateRecord: [ownersWrite, 'recordId: "{recordId}", ttl: 300'],
  deleteRecord: [ownersWrite, 'recordId: "{recordId}"'],
  changeRecords: [ownersWrite, 'zone: "{zone}", remove: ["{recordId}"]'],
  revertDomain: [ownersWrite, 'by: { zone: "{zone}" }, to: { changeId: "{changeId}" }'],
  revertChange: [ownersWrite, 'changeId: "{editId}"'],
  importZone: [ownersWrite, 'zone: "{zone}", text: "a 300 IN A 192.0.2.1\\n", mode: MERGE'],
  setNote: [ownersWrite, 'zone: "{zone}", owner: "@", type: "NS", text: "a note"'],
  createTemplate: [ownersWrite, 'name: "new.{zone}", userId: "{aliceId}", records: []'],
  updateTemplate: [ownersWrite, 'by: { id: "{templateId}" }, description: "new"'],
  applyTemplate: [ownersWrite, 'templateId: "{templateId}", zones: ["{zone}"]'],
  deleteTemplate: [ownersWrite, 'by: { id: "{templateId}" }'],
  createChangeSet: [ownersWrite, `title: "new", ${newPart}`],
  updateChangeSet: [ownersWrite, 'changeSetId: "{changeSetId}", title: "other"'],
  stageChanges: [ownersWrite, 'changeSetId: "{changeSetId}", zones: [{ delete: { zone: "{zone}" } }]'],
  cancelChangeSet: [ownersWrite, 'changeSetId: "{changeSetId}"'],
  submitChangeSet: [ownersWrite, 'changeSetId: "{changeSetId}"'],
  withdrawChangeSet: [ownersWrite, 'changeSetId: "{submittedSetId}"'],
  commentChangeSet: [ownersWrite, 'changeSetId: "{changeSetId}", text: "text"'],
  scheduleChangeSet: [
    ownersWrite,
    `changeSetId: "{changeSetId}", applyAt: "${inAnHour()}", expectedFingerprint: "{fingerprint}"`,
  ],
  unscheduleChangeSet: [ownersWrite, 'changeSetId: "{scheduledSetId}"'],
  applyChangeSet: [ownersWrite, 'changeSetId: "{changeSetId}", expectedFingerprint: "{fingerprint}"'],
  // The set is by the administrator, who does not review it.
  reviewChangeSet: [
    outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "done", "FORBIDDEN"),
    'changeSetId: "{submittedSetId}", verdict: APPROVE, expectedFingerprint: "{fingerprint}"',
  ],
  // Nothing is in conflict, and nothing of it was refused.
  resolveConflicts: [once("INVALID_VALUE"), 'changeSetId: "{changeSetId}", zone: "{zone}", resolution: MINE'],
  restageChangeSet: [once("WRONG_STATE"), 'changeSetId: "{changeSetId}"'],
  // It edits what the key sees: of a zone of others, nothing.
  editRecords: [ownKeys, 'filter: { zones: ["{zone}"] }, set: { ttl: 60 }'],
  revertChanges: [ownersWrite, 'by: { changeIds: ["{changeId}"] }, skipConflicts: true, dryRun: true'],
  confirmCatalogRemoval: [administration, "removalCount: 0"],
  resyncDomain: [ownersWrite, 'by: { zone: "{zone}" }'],
  confirmRestore: [administration, 'pendingSince: "2026-11-22T00:00:00Z"'],
  createTsigKey: [ownKeys, 'name: "new.{zone}"'],
  revokeTsigKey: [outcomes("NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "done"), 'tsigKeyId: "{tsigKeyId}"'],
  createSecondary: [administration, 'name: "{zone}", address: "127.0.0.2", port: 53'],
  updateSecondary: [administration, 'by: { id: "{secondaryId}" }, name: "to.{zone}"'],
  deleteSecondary: [administration, 'by: { id: "{secondaryId}" }'],
  createApiKey: [ownersWrite, 'name: "new", userId: "{aliceId}"'],
  revokeApiKey: [ownersWrite, 'apiKeyId: "{keyId}"'],
  createWebhook: [
    ownersWrite,
    'name: "new", url: "https://hooks.invalid/", events: [CHANGE_SET_MISSED], userId: "{aliceId}"',
  ],
  updateWebhook: [ownersWrite, 'webhookId: "{webhookId}", enabled: false'],
  rotateWebhookSecret: [ownersWrite, 'webhookId: "{webhookId}"'],
  testWebhook: [ownersWrite, 'webhookId: "{webhookId}"'],
  resendWebhookMessages: [ownersWrite, 'webhookId: "{webhookId}"'],
  deleteWebhook: [ownersWrite, 'webhookId: "{webhookId}"'],
};

const fields = {
  ...reads,
  ...Object.fromEntries(
    Object.entries(mutations).map(([name, [outcomes, input]]): [string, readonly [Outcomes, string]] => [
      `Mutation.${name}`,
      [outcomes, `mutation { ${name}(input: { ${input} }) { __typename } }`],
    ]),
  ),
};

const www = { zone: "{zone}", owner: "www", rtype: "CNAME", rdata: "{zone}.", ttl: 300 };

type Row = readonly [string, Outcomes, string, RestOptions?];

/** Each REST path, likewise, with what is sent; a path that answers in two ways has two rows. */
const paths: readonly Row[] = [
  ["get /record/list", list, "/record/list"],
  ["get /record/list/:id", lookup, "/record/list/{recordId}"],
  ["post /record/add", ownersWrite, "/record/add", { form: { ...www, owner: "alias" } }],
  ["put /record/edit/:id", ownersWrite, "/record/edit/{recordId}", { form: www }],
  ["delete /record/delete/:id", ownersWrite, "/record/delete/{recordId}"],
  ["get /user/list", list, "/user/list"],
  ["get /user/list", lookup, `/user/list?email=${alice}`],
  ["get /user/list/:id", lookup, "/user/list/{aliceId}"],
  ["post /user/add", administration, "/user/add", { form: { email: "new.{zone}@example.com" } }],
  ["put /user/edit/:id", administration, "/user/edit/{idleUserId}", { form: { email: "to.{zone}@example.com" } }],
  ["delete /user/delete/:id", administration, "/user/delete/{idleUserId}"],
  ["get /domain/history/:zone", changesOf, "/domain/history/{zone}"],
  ["get /change/:id", lookup, "/change/{changeId}"],
  ["get /domain/list", list, "/domain/list"],
  ["get /domain/list/zone", lookup, "/domain/list/zone?name={zone}"],
  ["get /domain/list/zone/:zoneid", lookup, "/domain/list/zone/{domainId}"],
  ["get /domain/list/user/:userid", lookup, "/domain/list/user/{aliceId}"],
  ["post /domain/add", ownersWrite, "/domain/add", { form: { zone: "new.{zone}", user_id: "{aliceId}" } }],
  ["delete /domain/delete", ownersWrite, "/domain/delete", { form: { zone: "{zone}" } }],
];

/** Master files and differences, which are no rows of the table of paths. */
const files: readonly Row[] = [
  ["get /domain/history/:zone of a deleted zone", changesOf, "/domain/history/{deletedZone}?id={deletedDomainId}"],
  ["get /domain/zonefile/:zone", lookup, "/domain/zonefile/{zone}"],
  ["get /domain/diff/:zone", lookup, "/domain/diff/{zone}?from={changeId}"],
  [
    "post /domain/zonefile/:zone",
    ownersWrite,
    "/domain/zonefile/{zone}",
    { body: "a 300 A 192.0.2.1\n", headers: { "Content-Type": "text/dns" } },
  ],
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
    const names = roots.flatMap((root) =>
      Object.keys(root?.getFields() ?? {}).map((field) => `${root?.name}.${field}`),
    );
    expect(Object.keys(fields).toSorted()).toEqual(names.toSorted());
  });

  const tried: [string, Outcomes][] = [];

  test.each(Object.entries(fields))("%s answers each actor as decided", async (name, [expected, operation]) => {
    const ask = (document: string, key: string | null) =>
      document.startsWith("subscription") ? firstAnswer(service, document, key) : service.graphql(document, {}, key);
    expect(await tryAll(expected, (fixture, key) => ask(filled(operation, fixture), key))).toEqual(expected);
    if (name.startsWith("Mutation.") && !operation.includes("dryRun")) tried.push([name, expected]);
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

  test.each([...paths, ...files])("%s answers each actor as decided", async (name, expected, ...[path, sent = {}]) => {
    const method = name.split(" ")[0]?.toUpperCase() ?? "";
    const seen = await tryAll(expected, (fixture, key) => {
      const options = JSON.parse(filled(JSON.stringify(sent), fixture));
      return service.rest(method, filled(path, fixture), { ...options, key });
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
