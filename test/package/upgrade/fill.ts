/**
 * What a version's own service writes, through each of its interfaces, into the database of the version before: zones of every kind, keys,
 * and what is new in the version, for which there is a place at the end.
 */
import { recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { type ClientKey, UpdateClient } from "../../setup/dns/update-client.ts";
import type { Answer, Client, RestOptions } from "../../setup/service/client.ts";
import { type Setup, tsigKeyOf } from "./questions.ts";

/** Fills the database of a service; returns what is needed besides it to ask about it. Every operation throws unless it succeeds. */
export async function fill(service: Client, setup: Setup, version: string): Promise<Setup> {
  const below = `v${version.replace(".", "-")}.example`;
  const userId = await service.user(`owner@${below}`);
  const [rest, graphql] = [`rest.${below}`, `graphql.${below}`];
  const [imported, again] = [`imported.${below}`, `again.${below}`];

  const send = async (method: string, path: string, options: RestOptions): Promise<Answer> => {
    const answer = await service.rest(method, path, options);
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`);
    return answer;
  };
  await send("POST", "/domain/add", { form: { user_id: userId, zone: rest } });
  const record = { zone: rest, owner: "a", rtype: "A", rdata: "192.0.2.1", ttl: 3600 };
  const { body } = await send("POST", "/record/add", { form: record });
  await send("POST", "/record/add", { form: { ...record, rdata: "192.0.2.2" } });
  await send("PUT", `/record/edit/${body.id}`, { form: { ...record, rdata: "192.0.2.3", ttl: 300 } });
  await send("POST", "/record/add", { form: { ...record, owner: "b" } });
  const { body: removed } = await send("POST", "/record/add", { form: { ...record, owner: "c" } });
  await send("DELETE", `/record/delete/${removed.id}`, {});

  const change = async (name: string, input: object) => service.mutate(name, input, "change { id serial }");
  await change("createDomain", { zone: graphql, userId });
  const types = recordTypes.filter(({ creatable, mnemonic }) => creatable && mnemonic !== "SOA");
  const add = types.map(({ mnemonic: type, example: rdata }) => ({ owner: `t-${type.toLowerCase()}`, type, rdata }));
  await change("changeRecords", {
    zone: graphql,
    add: [...add, { owner: "t-ds", type: "NS", rdata: "ns.example.net." }],
  });
  await change("changeRecords", {
    zone: graphql,
    add: [{ owner: "straße.été", type: "TXT", rdata: '"\\000" "☕;\\""' }],
  });

  const headers = { "Content-Type": "text/dns" };
  const apex = "@ 3600 SOA ns.example.net. host.example.net. 4294967295 1 2 3 4\n@ 3600 NS ns.example.net.\n";
  const hosts = Array.from({ length: 50 }, (_, at) => `host${at} 60 A 203.0.113.${at}\n`).join("");
  await send("POST", `/domain/zonefile/${imported}?user_id=${userId}`, { body: apex + hosts, headers });
  await change("importZone", { zone: imported, mode: "MERGE", text: "merged 300 IN A 192.0.2.3\n" });
  await send("POST", `/domain/zonefile/${imported}?mode=replace`, { body: `${apex}host1 60 A 203.0.113.1\n`, headers });

  await change("createDomain", { zone: again, userId });
  await change("deleteDomain", { by: { zone: again } });
  await change("createDomain", { zone: again, userId });

  const apiKey = await service.key({ name: `owner of ${version}`, userId });
  const name = `key.${below}`;
  const key = await service.tsigKey({ name, userId });
  const updates = new UpdateClient(() => service.dnsPort);
  const update = async (zone: string, lines: readonly string[], key: ClientKey) => {
    const { rcode } = await updates.update(zone, lines, { key });
    if (rcode !== "NOERROR") throw new Error(`${zone}: ${rcode}`);
  };
  const edits = ["yxrrset a A", "del a A 192.0.2.2", "add new 60 AAAA 2001:db8::7"];
  await update(rest, edits, key);
  await update("updates.example", ["add written 300 TXT later"], tsigKeyOf(setup, "all.bob"));

  const zones = [{ edit: { zone: rest, add: [{ owner: "set", type: "A", rdata: "192.0.2.4" }] } }];
  const created = "changeSet { id } preview { fingerprint }";
  const { changeSet, preview } = await service.mutate("createChangeSet", { title: "applied", zones }, created);
  const applied = { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint };
  await service.mutate("applyChangeSet", applied, "changeSet { id }");
  await service.mutate("createChangeSet", { title: "open", zones: [{ delete: { zone: again } }] }, created);
  await service.mutate("setNote", { zone: rest, owner: "b", type: "A", text: "a note" }, "note { text }");
  await service.mutate(
    "updateDomain",
    { by: { zone: rest }, labels: [{ name: "env", value: "prod" }] },
    "domain { id }",
  );
  const records = [{ owner: "www", type: "A", rdata: "192.0.2.1" }];
  await service.mutate("createTemplate", { name: below, userId, records }, "template { id }");
  const webhook = { name: below, userId, url: "https://hooks.invalid/", events: ["CHANGE_SET_MISSED"] };
  await service.mutate("createWebhook", webhook, "webhook { id }");
  return {
    ...setup,
    apiKeys: { ...setup.apiKeys, [`owner of ${version}`]: apiKey },
    tsigKeys: {
      ...setup.tsigKeys,
      [name]: { algorithm: key.algorithm, secret: Buffer.from(key.secret).toString("base64") },
    },
  };
}
