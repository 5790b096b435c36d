/** What metrics show of secondaries and of the database, as they are asked at a scrape. */
import { expect, test } from "@jest/globals";
import type { Pool } from "pg";
import { ConnectionSupervisor } from "../../../src/database/connection-supervisor.ts";
import { Metrics } from "../../../src/metrics/metrics.ts";
import { AnswerCounts } from "../../../src/nameserver/answer-counts.ts";
import type { SecondaryState } from "../../../src/secondary/secondary.ts";
import { observe } from "../../../src/service/metrics-wiring.ts";
import { samplesOf } from "../../setup/basics/exposition.ts";

/** A scrape, when this is known of the secondaries, and of certificates. */
async function scraped(states: readonly SecondaryState[] | undefined, certificates: readonly CertificateEnd[] = []) {
  const metrics = new Metrics();
  const database = { query: async () => ({ rows: [] }) } as unknown as Pool;
  const observed = { supervisor: new ConnectionSupervisor(), database, answers: new AnswerCounts() };
  observe(metrics, { ...observed, secondaries: () => states, certificates: () => certificates });
  return samplesOf(await metrics.text());
}

type CertificateEnd = ReturnType<Parameters<typeof observe>[1]["certificates"]>[number];

const state = (name: string, changes: Partial<SecondaryState> = {}): SecondaryState => ({
  ...{ name, isSilent: false, isJoining: false, pending: 1, late: 2, lagMs: 3000 },
  ...changes,
});

test("a hundred secondaries have metrics of their own, and the others are taken together", async () => {
  const states = Array.from({ length: 103 }, (_, n) =>
    state(`ns${n}`, n === 102 ? { isSilent: true, lagMs: 9000 } : {}),
  );
  const samples = await scraped(states);
  expect(samples.get("zonesmith_secondaries")).toBe(103);
  expect([...samples.keys()].filter((name) => name.startsWith("zonesmith_secondary_lag_seconds"))).toHaveLength(101);
  expect(samples.get('zonesmith_secondary_lag_seconds{secondary="ns99"}')).toBe(3);
  expect(samples.get('zonesmith_secondary_lag_seconds{secondary="other"}')).toBe(9);
  expect(samples.get('zonesmith_secondary_up{secondary="other"}')).toBe(0);
  expect(samples.get('zonesmith_secondary_joining{secondary="other"}')).toBe(0);
  expect(samples.get('zonesmith_secondary_zones{secondary="other",state="pending"}')).toBe(3);
  expect(samples.get('zonesmith_secondary_zones{secondary="other",state="late"}')).toBe(6);
});

test("only the leader shows secondaries; one without any shows that there are 0", async () => {
  const samples = await scraped(undefined);
  expect(samples.get("zonesmith_leader")).toBe(0);
  expect([...samples.keys()].filter((name) => name.includes("secondar"))).toEqual([]);
  const leader = await scraped([]);
  expect([leader.get("zonesmith_leader"), leader.get("zonesmith_secondaries")]).toEqual([1, 0]);
});

test("a certificate is shown with its end, while there is one", async () => {
  const endsAt = new Date("2027-01-01T00:00:00Z");
  const name = 'zonesmith_certificate_end_timestamp_seconds{use="https"}';
  expect((await scraped([], [{ use: "https", endsAt }])).get(name)).toBe(endsAt.getTime() / 1000);
  expect((await scraped([])).has(name)).toBe(false);
});
