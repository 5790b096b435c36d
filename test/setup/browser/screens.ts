/**
 * What the tests of all screens look at: zones, a server, a change, a refused update, change sets, labels, a template.
 */

import { UpdateClient } from "../dns/update-client.ts";
import type { TestService } from "../service/service.ts";
import { addWebhook } from "../service/webhook-rows.ts";

/** A zone with a long name. */
export const longZone = "a-rather-long-name-for-a-zone-that-somebody-registered.example.org";

/** Makes what the screens show; returns the ids that stand in their addresses. */
export async function fillScreens(service: TestService): Promise<Readonly<Record<string, string>>> {
  const owner = await service.user("somebody-with-a-long-address@a-company-with-a-long-name.example");
  await service.domain("example.com", owner);
  await service.domain(longZone, owner);
  await service.domain("deleted.example", owner);
  await service.rest("DELETE", "/domain/delete", { form: { zone: "deleted.example" } });
  const input = { name: "knot1", address: "127.0.0.1", port: 1, newTsigKey: "knot1.key" };
  const create = "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }";
  const server = (await service.data(create, { input })).createSecondary.secondary.id;
  const id = await service.record("example.com", "host", "A", "192.0.2.1", 300);
  const long = `v=DKIM1; k=rsa; p=${Buffer.from("x".repeat(290)).toString("base64")}`;
  const edits = {
    add: [{ owner: "selector._domainkey", type: "TXT", rdata: long }],
    update: [{ id, rdata: "192.0.2.2", ttl: 60 }],
  };
  const { changeRecords } = await service.data(
    "mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { id } } }",
    {
      input: { zone: "example.com", note: "a note that says why", ...edits },
    },
  );
  await new UpdateClient(() => service.dnsPort).update("example.com", ["add www9 300 A 192.0.2.9"]);
  const sets = await addSets(service);
  const labels = [
    { name: "env", value: "prod" },
    { name: "customer", value: "" },
  ];
  const label = "mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { id } } }";
  await service.data(label, { input: { zone: longZone, labels } });
  const createTemplate =
    "mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id } } }";
  const variables = [{ name: "address", kind: "IPV4", description: "of the web server", default: "192.0.2.1" }];
  const records = [{ owner: "www", type: "A", rdata: "\u0024{address}" }];
  const made = await service.data(createTemplate, { input: { name: "web", description: "sites", variables, records } });
  const webhook = await addWebhook(
    service,
    "chat of the team",
    "https://hooks.invalid/services/T00000000/B00000000/zonesmith",
  );
  return { ...sets, server, change: changeRecords.change.id, template: made.createTemplate.template.id, webhook };
}

/** Change sets: one in review with something in its way, and one that was applied. */
async function addSets(service: TestService): Promise<Record<"set" | "ready" | "applied", string>> {
  const create = "mutation ($input: CreateChangeSetInput!) { createChangeSet(input: $input) { changeSet { id } } }";
  const idOf = async (input: object) => (await service.data(create, { input })).createChangeSet.changeSet.id;
  const id = await service.record(longZone, "staged", "A", "192.0.2.1", 300);
  const set = await idOf({
    title: "a title that says what it is for",
    description: "and a description",
    approvalsWanted: 1,
    zones: [
      {
        zone: longZone,
        update: [{ id, rdata: "192.0.2.2" }],
        add: [{ owner: "b", type: "A", rdata: "192.0.2.3" }],
      },
      { zone: "example.com", add: [{ owner: "@", type: "TXT", rdata: "x".repeat(200) }] },
    ],
  });
  const submit = "mutation ($input: SubmitChangeSetInput!) { submitChangeSet(input: $input) { changeSet { id } } }";
  await service.data(submit, { input: { id: set, text: "look at it" } });
  const update = "mutation ($input: UpdateRecordInput!) { updateRecord(input: $input) { record { id } } }";
  await service.data(update, { input: { id, rdata: "192.0.2.4" } });
  const ready = await idOf({
    title: "ready",
    zones: [{ zone: longZone, add: [{ owner: "www3", type: "A", rdata: "192.0.2.6" }] }],
  });
  const applied = await idOf({
    title: "applied",
    zones: [{ zone: longZone, add: [{ owner: "www2", type: "A", rdata: "192.0.2.5" }] }],
  });
  const preview = "query ($id: ID!) { changeSetPreview(id: $id) { fingerprint } }";
  const expectedFingerprint = (await service.data(preview, { id: applied })).changeSetPreview.fingerprint;
  const apply = "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { id } } }";
  await service.data(apply, { input: { id: applied, expectedFingerprint } });
  return { set, ready, applied };
}
