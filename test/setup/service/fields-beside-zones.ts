/**
 * Rows of the matrix of access (test/service/graphql/access.test.ts): the root fields about what is kept beside zones: templates, labels, notes and
 * webhooks.
 */
import type { Fixture } from "./actors.ts";

type Row<Outcomes> = readonly [Outcomes, (fixture: Fixture) => string];

/** The rows, given what comes of it where one thing is looked up, where all are listed, and where only the owner may write. */
export const fieldsBesideZones = <Outcomes>({
  lookup,
  list,
  ownersWrite,
}: Readonly<Record<"lookup" | "list" | "ownersWrite", Outcomes>>): Readonly<Record<string, Row<Outcomes>>> => ({
  "Query.templates": [list, () => "{ templates(first: 1000) { nodes { name } } }"],
  "Query.template": [lookup, (f) => `{ template(by: { id: "${f.templateId}" }) { name } }`],
  "Mutation.createTemplate": [
    ownersWrite,
    (f) =>
      `mutation { createTemplate(input: { name: "new.${f.zone}", userId: "${f.aliceId}", records: [] }) { template { id } } }`,
  ],
  "Mutation.updateTemplate": [
    ownersWrite,
    (f) => `mutation { updateTemplate(input: { id: "${f.templateId}", description: "new" }) { template { id } } }`,
  ],
  "Mutation.applyTemplate": [
    ownersWrite,
    (f) =>
      `mutation { applyTemplate(input: { template: "${f.templateId}", zones: ["${f.zone}"] }) { changeSet { title } } }`,
  ],
  "Mutation.deleteTemplate": [
    ownersWrite,
    (f) => `mutation { deleteTemplate(input: { id: "${f.templateId}" }) { deletedId } }`,
  ],
  "Mutation.updateDomain": [
    ownersWrite,
    (f) =>
      `mutation { updateDomain(input: { zone: "${f.zone}", labels: [{ name: "of", value: "alice" }] }) { domain { id } } }`,
  ],
  "Query.webhooks": [
    list,
    () => "{ webhooks(first: 100) { nodes { name deliveries(first: 5) { nodes { payload } } } } }",
  ],
  "Query.webhook": [lookup, (f) => `{ webhook(id: "${f.webhookId}") { name url } }`],
  "Mutation.createWebhook": [
    ownersWrite,
    (f) =>
      `mutation { createWebhook(input: { name: "new", url: "https://hooks.invalid/", events: [CHANGE_SET_MISSED], userId: "${f.aliceId}" }) { secret } }`,
  ],
  "Mutation.updateWebhook": [
    ownersWrite,
    (f) => `mutation { updateWebhook(input: { id: "${f.webhookId}", enabled: false }) { webhook { enabled } } }`,
  ],
  "Mutation.rotateWebhookSecret": [
    ownersWrite,
    (f) => `mutation { rotateWebhookSecret(input: { id: "${f.webhookId}" }) { secret } }`,
  ],
  "Mutation.testWebhook": [
    ownersWrite,
    (f) => `mutation { testWebhook(input: { id: "${f.webhookId}" }) { delivery { id } } }`,
  ],
  "Mutation.resendWebhookMessages": [
    ownersWrite,
    (f) => `mutation { resendWebhookMessages(input: { webhookId: "${f.webhookId}" }) { count } }`,
  ],
  "Mutation.deleteWebhook": [
    ownersWrite,
    (f) => `mutation { deleteWebhook(input: { id: "${f.webhookId}" }) { deletedId } }`,
  ],
  "Mutation.setNote": [
    ownersWrite,
    (f) =>
      `mutation { setNote(input: { zone: "${f.zone}", owner: "@", type: "NS", text: "a note" }) { note { text } } }`,
  ],
});
