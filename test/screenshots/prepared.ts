/**
 * What is prepared in the company of the screenshots: labels, a template, change sets, and a webhook.
 */
import { tomorrowEvening } from "../setup/basics/clock.ts";
import type { Json, TestService } from "../setup/service/service.ts";
import { addWebhook } from "../setup/service/webhook-rows.ts";

/** What was prepared, by ids. */
type Prepared = Record<
  "changeSet" | "conflicting" | "ready" | "scheduled" | "applied" | "template" | "webhook",
  string
>;

/** Prepares it for a user with records: of a mail server, and of a harbour that somebody else changes once their change is staged. */
export async function prepare(
  service: TestService,
  {
    userId,
    mail,
    piers,
  }: { readonly userId: string; readonly mail: string; readonly piers: readonly [string, string] },
): Promise<Prepared> {
  const send = async (name: string, input: Json, fields: string, key?: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    return (await service.data(`mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input }, key))[
      name
    ];
  };
  const env = { name: "env", value: "prod" };
  await send("updateDomain", { zone: "example.com", labels: [env, { name: "customer", value: "" }] }, "domain { id }");
  await send("updateDomain", { zone: "example.net", labels: [env] }, "domain { id }");
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
  const template = (await send("createTemplate", input, "template { id }")).template.id;
  const author = await service.key({ name: "jonas", userId: userId });
  const add = (zone: string, ...records: string[]) => ({
    zone,
    add: records.map((record) => {
      const [owner, type, ...rdata] = record.split(" ");
      return { owner, type, rdata: rdata.join(" ") };
    }),
  });
  const moved = {
    ...add("example.com", "mail3 A 198.51.100.27", "@ MX 30 mail3"),
    update: [{ id: mail, rdata: "192.0.2.26" }],
  };
  const create = async (set: Json) =>
    (await send("createChangeSet", set, "changeSet { id }", author)).changeSet.id as string;
  const changeSet = await create({
    title: "Mail moves to the new data centre",
    description: "Both zones get the servers of the new centre; the old ones stay until Friday.",
    approvalsWanted: 2,
    zones: [moved, add("example.net", "@ MX 30 mail3.example.com.")],
  });
  await send("submitChangeSet", { id: changeSet, text: "Please look at the TTLs too." }, "changeSet { id }", author);
  await send("commentChangeSet", { id: changeSet, text: "I look at it this afternoon." }, "changeSet { id }");
  const conflicting = await create({
    title: "The piers move behind the new proxy",
    approvalsWanted: 1,
    zones: [
      {
        zone: "harbour-dns.example",
        update: [{ id: piers[0], rdata: "198.51.100.80", ttl: 300 }],
        remove: [piers[1]],
        add: [{ owner: "proxy", type: "A", rdata: "198.51.100.80" }],
      },
    ],
  });
  await send("submitChangeSet", { id: conflicting }, "changeSet { id }", author);
  const meanwhile = [
    { id: piers[0], rdata: "198.51.100.46" },
    { id: piers[1], rdata: "198.51.100.48" },
  ];
  await send("changeRecords", { zone: "harbour-dns.example", update: meanwhile }, "change { id }");
  const ready = await create({
    title: "A status page of its own",
    zones: [add("example.org", "status CNAME status.hosting.example.")],
  });
  const preview = "query ($id: ID!) { changeSetPreview(id: $id) { fingerprint } }";
  /** A set as it would be now. */
  const seen = async (id: string) => {
    const { changeSetPreview } = await service.data(preview, { id });
    return { id, expectedFingerprint: changeSetPreview.fingerprint };
  };
  const scheduled = await create({
    title: "The old shop ends",
    zones: [add("example.net", "shop CNAME shops.hosting.example.")],
  });
  await send(
    "scheduleChangeSet",
    { ...(await seen(scheduled)), applyAt: tomorrowEvening(), onMissed: "SKIP" },
    "changeSet { id }",
    author,
  );
  const applied = await create({
    title: "A page for the press",
    zones: [add("harbour-dns.example", "press CNAME press.hosting.example.")],
  });
  await send("applyChangeSet", await seen(applied), "changeSet { id }", author);
  const webhook = await addWebhook(service, "chat of the team", "https://hooks.invalid/services/harbour/zonesmith");
  return { changeSet, conflicting, ready, scheduled, applied, template, webhook };
}
