/**
 * Labels of domains: their form, what they select, and that they stay with their domain.
 */
import { expect, test } from "@jest/globals";
import { domainByZone, listDomains } from "../../../src/zone/domain.ts";
import { labelsOfDomains, setLabels } from "../../../src/zone/domain-labels.ts";
import { createDomain, deleteDomain, transferDomain } from "../../../src/zone/edit/lifecycle.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { type Label, readLabels } from "../../../src/zone/label.ts";
import { listRecords } from "../../../src/zone/record-list.ts";
import { actorOf, reasonsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();

/** Labels as a client sends them, from `env=prod`. */
const labelsOf = (...texts: string[]): Label[] =>
  texts.map((text) => {
    const [name = "", value = ""] = text.split("=");
    return { name, value };
  });

async function labels(zone: string): Promise<string[]> {
  const { id } = await domainByZone(zones.session(), zone);
  const listed = (await labelsOfDomains(zones.session(), [id])).get(id) ?? [];
  return listed.map(({ name, value }) => `${name}=${value}`);
}

test("labels are replaced as a whole, without a change of the zone", async () => {
  const zone = await zones.zone();
  const journal = await zones.journal(zone);
  const before = await domainByZone(zones.session(), zone);
  const sent = labelsOf("team=dns", "env=prod", "a.example/B_c.d-e=", "toString=1");
  expect(await setLabels(zones.session(), zone, sent)).toEqual(before);
  expect(await labels(zone)).toEqual(["a.example/B_c.d-e=", "env=prod", "team=dns", "toString=1"]);
  await setLabels(zones.session(), zone, labelsOf("env=test"));
  expect(await labels(zone)).toEqual(["env=test"]);
  expect(await zones.journal(zone)).toEqual(journal);
});

test.each<[string, Label[], string]>([
  ["an empty name", labelsOf("=x"), "labels.0.name"],
  ["a name that ends in a hyphen", labelsOf("a=b", "env-=x"), "labels.1.name"],
  ["a name of 64 letters", labelsOf(`${"a".repeat(64)}=x`), "labels.0.name"],
  ["a prefix in upper case", labelsOf("Example.com/env=x"), "labels.0.name"],
  ["a prefix alone", labelsOf("example.com/=x"), "labels.0.name"],
  ["two slashes", labelsOf("a/b/c=x"), "labels.0.name"],
  ["a prefix of 254 letters", labelsOf(`${"a.".repeat(126)}aa/x=x`), "labels.0.name"],
  ["a value with a blank", [{ name: "env", value: "a b" }], "labels.0.value"],
  ["a value of 64 letters", labelsOf(`env=${"a".repeat(64)}`), "labels.0.value"],
  ["a line end", [{ name: "env", value: "a\n" }], "labels.0.value"],
  ["one name twice", labelsOf("env=a", "env=b"), "labels.1.name"],
  ["33 labels", labelsOf(...Array.from({ length: 33 }, (_, n) => `l${n}=x`)), "labels"],
])("labels are refused: %s", async (_, sent, field) => {
  const zone = await zones.zone();
  expect(await reasonsOf(setLabels(zones.session(), zone, sent))).toEqual([`INVALID_VALUE ${field}`]);
  expect(await labels(zone)).toEqual([]);
});

test("32 labels of the longest form are kept", () => {
  const longest = (n: number) => ({
    name: `${"a.".repeat(125)}aaa/${"b".repeat(60)}${100 + n}`,
    value: "c".repeat(63),
  });
  expect(Object.keys(readLabels(Array.from({ length: 32 }, (_, n) => longest(n))))).toHaveLength(32);
});

test("domains and their records are found by labels", async () => {
  const [one, two, three] = [await zones.zone(), await zones.zone(), await zones.zone()];
  await setLabels(zones.session(), one, labelsOf("find=x", "stage=prod"));
  await setLabels(zones.session(), two, labelsOf("find=y", "stage=prod"));
  await setLabels(zones.session(), three, labelsOf("find="));
  const found = async (...sought: string[]) => {
    const { rows } = await listDomains(zones.session(), { labels: sought }, { first: 10, order: "ZONE" });
    return rows.map(({ zone }) => zone);
  };
  expect(await found("find")).toEqual([one, two, three]);
  expect(await found("find=x")).toEqual([one]);
  expect(await found("find=")).toEqual([three]);
  expect(await found("stage=prod", "find=y")).toEqual([two]);
  expect(await found("stage", "find=z")).toEqual([]);
  expect(await reasonsOf(found("stage", "a b"))).toEqual(["INVALID_VALUE labels.1"]);
  expect(await reasonsOf(found("stage=a", "stage=b"))).toEqual(["INVALID_VALUE labels"]);
  for (const order of ["NAME", "CREATED"] as const) {
    const filter = { labels: ["stage=prod"], types: ["CNAME"] };
    const { rows } = await listRecords(zones.session(), filter, { first: 10, order });
    expect(rows.map(({ zone }) => zone)).toEqual([one, two]);
  }
  const filter = { zone: two, labels: ["find=x"] };
  expect((await listRecords(zones.session(), filter, { first: 10, order: "NAME" })).rows).toEqual([]);
});

test("labels are given to a new domain, come back with a deleted one, and go to its next user", async () => {
  const zone = "labelled.example.org";
  const { domain } = await createDomain(zones.session(), zones.userId, zone, { labels: { env: "prod" } });
  expect(await labels(zone)).toEqual(["env=prod"]);
  await deleteDomain(zones.session(), zone);
  await createDomain(zones.session(), zones.userId, zone);
  expect(await labels(zone)).toEqual([]);
  await deleteDomain(zones.session(), zone);
  await restoreDomain(zones.session(), { id: domain.id });
  expect(await labels(zone)).toEqual(["env=prod"]);
  await transferDomain(zones.session(), zone, zones.userId);
  expect(await labels(zone)).toEqual(["env=prod"]);
});

test("only those who see the zone see and write its labels", async () => {
  const zone = await zones.zone();
  await setLabels(zones.session(), zone, labelsOf("secret=x"));
  const { id } = await domainByZone(zones.session(), zone);
  const owner = actorOf(zones.userId);
  const stranger = zones.session(actorOf(zones.userId + 16));
  const limited = zones.session({ ...owner, zones: ["other.example"] });
  for (const session of [stranger, limited]) {
    expect((await labelsOfDomains(session, [id])).size).toBe(0);
    expect(await reasonsOf(setLabels(session, zone, []))).toEqual(["NOT_FOUND zone"]);
  }
  const readOnly = zones.session({ ...owner, readOnly: true });
  expect(await reasonsOf(setLabels(readOnly, zone, []))).toEqual(["FORBIDDEN"]);
  expect(await labels(zone)).toEqual(["secret=x"]);
  await setLabels(zones.session(owner), zone, []);
  expect(await labels(zone)).toEqual([]);
});
