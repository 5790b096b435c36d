/** Everyone who may knock: a row of keys, from none to the administrator's, and a thing of Alice's for them to reach for. */
import { inAnHour } from "../basics/clock.ts";
import { eventually } from "../basics/eventually.ts";
import { adminKey, mutation, type TestService } from "./service.ts";

/** The actors, in the order in which they try. Alice is the owner, Bob the other user. */
export const actorNames = [
  "no key",
  "a wrong key",
  "an expired key",
  "a revoked key",
  "another user",
  "the owner, read-only",
  "the administrator, read-only",
  "the owner",
  "the administrator",
] as const;
export type ActorName = (typeof actorNames)[number];

export const alice = "alice@example.com";
export const bob = "bob@example.net";

/** A domain of Alice's with what belongs to it, made anew for each use. */
export interface Fixture {
  readonly aliceId: string;
  readonly zone: string;
  readonly domainId: string;
  readonly recordId: string;
  readonly changeId: string;
  /** A change that added a record. */
  readonly editId: string;
  /** A change set over the domain. */
  readonly changeSetId: string;
  /** The same in review. */
  readonly submittedSetId: string;
  /** The same with a schedule. */
  readonly scheduledSetId: string;
  /** What they would do. */
  readonly fingerprint: string;
  /** A domain of Alice's that was deleted. */
  readonly deletedZone: string;
  readonly deletedDomainId: string;
  readonly templateId: string;
  readonly webhookId: string;
  /** A key of Alice's that nobody uses. */
  readonly keyId: string;
  /** A user who owns nothing. */
  readonly idleUserId: string;
  /** A secondary and the TSIG key it signs with, which are the operator's. */
  readonly secondaryId: string;
  readonly tsigKeyId: string;
}

export class Actors {
  aliceId = "";
  bobId = "";
  private readonly service: TestService;
  private readonly keys = new Map<ActorName, string | null>();
  private made = 0;
  private secondaryId: string | undefined;

  constructor(service: TestService) {
    this.service = service;
  }

  async enter(): Promise<void> {
    const { service, keys } = this;
    this.aliceId = await service.user(alice);
    this.bobId = await service.user(bob);
    await service.domain("bob.example.net", this.bobId);
    await this.secondary();
    await eventually(async () => (await service.data("{ catalog { zone } }")).catalog !== null);
    const expired = await this.createKey({ userId: this.aliceId });
    await service.sql("update api_key set expires_at = now() where id = $1", [expired.id]);
    const revoked = await this.createKey({ userId: this.aliceId });
    await service.mutate("revokeApiKey", { apiKeyId: revoked.id }, "apiKey { id }");
    keys.set("no key", null);
    keys.set("a wrong key", `zs_${"A".repeat(43)}`);
    keys.set("an expired key", expired.key);
    keys.set("a revoked key", revoked.key);
    keys.set("another user", (await this.createKey({ userId: this.bobId })).key);
    keys.set("the owner, read-only", (await this.createKey({ userId: this.aliceId, readOnly: true })).key);
    keys.set("the administrator, read-only", (await this.createKey({ readOnly: true })).key);
    keys.set("the owner", (await this.createKey({ userId: this.aliceId })).key);
    keys.set("the administrator", adminKey);
  }

  key(name: ActorName): string | null {
    return this.keys.get(name) as string | null;
  }

  async createKey(input: Record<string, unknown>): Promise<{ key: string; id: string }> {
    const named = { name: "test", ...input };
    const { key, apiKey } = await this.service.mutate("createApiKey", named, "key apiKey { id }");
    return { key, id: apiKey.id };
  }

  async fixture(): Promise<Fixture> {
    this.made += 1;
    const zone = `alice${this.made}.example.com`;
    const { service, aliceId } = this;
    const selected = 'change { id } domain { id records(types: "CNAME") { nodes { id } } }';
    const created = await service.mutate("createDomain", { zone, userId: aliceId }, selected);
    const record = { zone, owner: "edited", type: "TXT", rdata: "edited" };
    const edit = await service.mutate("createRecord", record, "change { id }");
    const sets = await service.data(
      `mutation ($input: CreateChangeSetInput!) { a: createChangeSet(input: $input) { changeSet { id } preview { fingerprint } }
        b: createChangeSet(input: $input) { changeSet { id } } c: createChangeSet(input: $input) { changeSet { id } } }`,
      {
        input: {
          title: "planned",
          zones: [{ edit: { zone, add: [{ owner: "planned", type: "TXT", rdata: "planned" }] } }],
        },
      },
    );
    const submittedSetId = sets.b.changeSet.id;
    await service.mutate("updateChangeSet", { changeSetId: submittedSetId, requestedApprovals: 1 }, "changeSet { id }");
    await service.mutate("submitChangeSet", { changeSetId: submittedSetId }, "changeSet { id }");
    const scheduledSetId = sets.c.changeSet.id;
    const when = { changeSetId: scheduledSetId, applyAt: inAnHour(), expectedFingerprint: sets.a.preview.fingerprint };
    await service.mutate("scheduleChangeSet", when, "changeSet { id }");
    const deletedZone = `deleted.alice${this.made}.example.org`;
    await service.domain(deletedZone, aliceId);
    const { deletedId } = await service.mutate("deleteDomain", { by: { zone: deletedZone } }, "deletedId");
    const template = { name: zone, userId: aliceId, records: [] };
    return {
      templateId: (await service.mutate("createTemplate", template, "template { id }")).template.id,
      webhookId: await this.nextWebhook(zone),
      aliceId,
      zone,
      editId: edit.change.id,
      changeSetId: sets.a.changeSet.id,
      submittedSetId,
      scheduledSetId,
      fingerprint: sets.a.preview.fingerprint,
      deletedZone,
      deletedDomainId: deletedId,
      domainId: created.domain.id,
      recordId: created.domain.records.nodes[0].id,
      changeId: created.change.id,
      keyId: await this.idleKey(),
      idleUserId: await service.user(`idle${this.made}@example.com`),
      ...(await this.nextSecondary()),
    };
  }

  /** A key of Alice's in place of the one of the fixture before, since a user may have so many. */
  private async idleKey(): Promise<string> {
    await this.service.sql("update api_key set revoked_at = now() where name = 'idle' and revoked_at is null");
    return (await this.createKey({ userId: this.aliceId, name: "idle" })).id;
  }

  /** A webhook in place of those of the fixtures before, since a user may have so many; of an event that does not happen. */
  private async nextWebhook(zone: string): Promise<string> {
    await this.service.sql("delete from webhook");
    const silent = { url: "https://hooks.invalid/", events: ["CHANGE_SET_MISSED"] };
    const input = { name: zone, userId: this.aliceId, ...silent };
    return (await this.service.mutate("createWebhook", input, "webhook { id }")).webhook.id;
  }

  /** A secondary in place of the one of the fixture before: each that is there is asked for the serial of every zone. */
  private async nextSecondary(): Promise<{ secondaryId: string; tsigKeyId: string }> {
    const deletion = mutation("deleteSecondary", "deletedId");
    if (this.secondaryId) await this.service.graphql(deletion, { input: { by: { id: this.secondaryId } } });
    const next = await this.secondary();
    this.secondaryId = next.secondaryId;
    return next;
  }

  /** A secondary that nobody can reach, and its key. */
  private async secondary(): Promise<{ secondaryId: string; tsigKeyId: string }> {
    const name = `secondary${this.made}`;
    const tsigKeyId = (await this.service.mutate("createTsigKey", { name }, "tsigKey { id }")).tsigKey.id;
    const place = { name, address: "127.0.0.1", port: 1 + this.made, tsigKeyId, notify: false };
    const { secondary } = await this.service.mutate("createSecondary", place, "secondary { id }");
    return { secondaryId: secondary.id, tsigKeyId };
  }

  /**
   * What the audit lacks of these mutations, each with what came of it for every actor who has a key that lets in: an entry that it was done,
   * or was refused with this code.
   */
  async missingInAudit(tried: readonly (readonly [string, Readonly<Record<ActorName, string>>])[]): Promise<string[]> {
    const known = actorNames.slice(actorNames.indexOf("another user"));
    const ids = new Map<ActorName, string>();
    for (const name of known)
      ids.set(name, (await this.service.data("{ viewer { key { id } } }", {}, this.key(name))).viewer.key.id);
    const wanted = tried.flatMap(([field, outcomes]) =>
      known.map((name) => `${field.replace("Mutation.", "")} ${ids.get(name)} ${outcomes[name]}`),
    );
    const rows = await this.service.sql<{ entry: string }>(
      "select distinct concat_ws(' ', operation, key_id, coalesce(code, 'done')) as entry from audit_entry",
    );
    const entries = new Set(rows.map(({ entry }) => entry));
    return wanted.filter((each) => !entries.has(each));
  }

  /**
   * A digest of every table: what a refused request must leave as it was. Meanwhile the publisher may write its catalog, and the leader find
   * scheduled sets in conflict.
   */
  async world(): Promise<string> {
    const owned = "select id from domain where user_id is not null";
    const journal = "select id from change where zone <> 'catalog.zonesmith'";
    // When a key was last used is noted whatever the request was, and what is sent to a webhook fails meanwhile.
    const row = "(to_jsonb(t) - 'last_used_at' - 'failures' - 'failing_since')::text";
    const tables = {
      user: "true",
      domain: `id in (${owned})`,
      zone_record: `domain_id in (${owned})`,
      change: `id in (${journal})`,
      change_record: `change_id in (${journal})`,
      change_set: "true",
      change_set_zone: "true",
      change_set_edit: "true",
      change_set_event: "kind <> 'CONFLICTED'",
      deleted_domain: "user_id is not null",
      rrset_note: "true",
      zone_template: "true",
      api_key: "true",
      tsig_key: "true",
      webhook: "true",
    };
    const digests = Object.entries(tables).map(
      ([table, condition]) =>
        `(select sum(hashtextextended(${row}, 0))::text from public."${table}" t where ${condition}) as "${table}"`,
    );
    return JSON.stringify(await this.service.sql(`select ${digests.join(", ")}`));
  }
}
