/** What is prepared in the company of the screens: labels, a template, change sets, and a webhook. */
import { tomorrowEvening } from "../basics/clock.ts";
import type { Json, TestService } from "../service/service.ts";
import { addWebhook } from "../service/webhook-receiver.ts";

/** Prepares it for a user with records: of a mail server, and of a harbour that somebody else changes once their change is staged. */
export async function prepare(
  service: TestService,
  userId: string,
  mail: string,
  piers: readonly [string, string],
): Promise<Record<string, string>> {
  const env = { name: "env", value: "prod" };
  const customer = { name: "customer", value: "" };
  await service.mutate("updateDomain", { by: { zone: "example.com" }, labels: [env, customer] }, "domain { id }");
  await service.mutate("updateDomain", { by: { zone: "example.net" }, labels: [env] }, "domain { id }");
  const input = {
    name: "customer site",
    description: "Web and mail of a customer at our servers",
    variables: [
      { name: "address", kind: "IPV4", description: "of the web server" },
      { name: "mx", kind: "NAME", description: "the mail server", default: "mail1.example.com." },
    ],
    records: [
      { owner: "@", type: "A", rdata: "$" + "{address}" },
      { owner: "www", type: "CNAME", rdata: "@", ttl: 300 },
      { owner: "@", type: "MX", rdata: "10 $" + "{mx}" },
      { owner: "@", type: "TXT", rdata: '"v=spf1 mx -all"' },
    ],
  };
  const template = (await service.mutate("createTemplate", input, "template { id }")).template.id;
  const author = await service.key({ name: "jonas", userId });
  const add = (zone: string, ...records: string[]) => {
    const added = records.map((record) => {
      const [owner, type, ...rdata] = record.split(" ");
      return { owner, type, rdata: rdata.join(" ") };
    });
    return { edit: { zone, add: added } };
  };
  const moved = {
    edit: {
      ...add("example.com", "mail3 A 198.51.100.27", "@ MX 30 mail3").edit,
      update: [{ recordId: mail, rdata: "192.0.2.26" }],
    },
  };
  const step = async (name: string, input: Json, key?: string): Promise<string> =>
    (await service.mutate(name, input, "changeSet { id }", key)).changeSet.id;
  const create = (set: Json) => step("createChangeSet", set, author);
  const changeSet = await create({
    title: "Mail moves to the new data centre",
    description: "Both zones get the servers of the new centre; the old ones stay until Friday.",
    requestedApprovals: 2,
    zones: [moved, add("example.net", "@ MX 30 mail3.example.com.")],
  });
  await step("submitChangeSet", { changeSetId: changeSet, text: "Please look at the TTLs too." }, author);
  await step("commentChangeSet", { changeSetId: changeSet, text: "I look at it this afternoon." });
  const conflicting = await create({
    title: "The piers move behind the new proxy",
    requestedApprovals: 1,
    zones: [
      {
        edit: {
          zone: "harbour-dns.example",
          update: [{ recordId: piers[0], rdata: "198.51.100.80", ttl: 300 }],
          remove: [piers[1]],
          add: [{ owner: "proxy", type: "A", rdata: "198.51.100.80" }],
        },
      },
    ],
  });
  await step("submitChangeSet", { changeSetId: conflicting }, author);
  const meanwhile = [
    { recordId: piers[0], rdata: "198.51.100.46" },
    { recordId: piers[1], rdata: "198.51.100.48" },
  ];
  await service.mutate("changeRecords", { zone: "harbour-dns.example", update: meanwhile }, "change { id }");
  const ready = await create({
    title: "A status page of its own",
    zones: [add("example.org", "status CNAME status.hosting.example.")],
  });
  const preview = "query ($id: ID!) { changeSetPreview(id: $id) { fingerprint } }";
  /** A set as it would be now. */
  const seen = async (id: string) => {
    const { changeSetPreview } = await service.data(preview, { id });
    return { changeSetId: id, expectedFingerprint: changeSetPreview.fingerprint };
  };
  const scheduled = await create({
    title: "The old shop ends",
    zones: [add("example.net", "shop CNAME shops.hosting.example.")],
  });
  await step("scheduleChangeSet", { ...(await seen(scheduled)), applyAt: tomorrowEvening(), onMissed: "SKIP" }, author);
  const applied = await create({
    title: "A page for the press",
    zones: [add("harbour-dns.example", "press CNAME press.hosting.example.")],
  });
  await step("applyChangeSet", await seen(applied), author);
  const webhook = await addWebhook(service, "chat of the team", "https://hooks.invalid/services/harbour/zonesmith");
  return { changeSet, conflicting, ready, scheduled, applied, template, webhook };
}
