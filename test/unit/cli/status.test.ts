/** The screen of `zonesmith status`, and how it fits a terminal. */
import { expect, test } from "@jest/globals";
import { age, type Picture, type Secondary, statusLines } from "../../../src/cli/status.ts";
import { fitted, rendered } from "../../../src/cli/terminal/screen.ts";

const now = new Date("2026-11-23T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();

const query = (answer: string, succeeded = true) => ({ at: ago(3), zone: "one.example", answer, succeeded });
const secondary = (name: string, more: Partial<Secondary> = {}): Secondary => ({
  name,
  address: "192.0.2.1",
  port: 53,
  lastQuery: query("2026112301"),
  lastNotify: null,
  lastTsigError: null,
  joinedAt: ago(90_000),
  progress: { served: 7, total: 7 },
  ...more,
});

const picture: Picture = {
  url: "http://127.0.0.1:4000",
  now,
  service: {
    service: {
      ...{ version: "1", dnsAddress: "127.0.0.1", dnsPort: 53, warnings: [] },
      nameServers: ["ns1.example.net.", "ns2.example.net."],
    },
    users: { totalCount: 2 },
    domains: { totalCount: 7 },
    live: { totalCount: 5 },
    pending: { totalCount: 1 },
    late: {
      totalCount: 1,
      nodes: [
        {
          zone: "late.example",
          publication: {
            since: ago(125),
            secondaries: [
              { name: "ns1", state: "LIVE", lastError: null },
              { name: "ns2", state: "LATE", lastError: "No answer within 2 s." },
            ],
          },
        },
      ],
    },
    unserved: { totalCount: 0 },
    updateRefusals: { nodes: [{ createdAt: ago(4000), zone: "late.example", reason: "The key is not known." }] },
  },
  operator: {
    instances: [
      { host: "a", pid: 7, version: "1", startedAt: ago(90_000), seenAt: ago(2), isAlive: true, isLeader: true },
      { host: "b", pid: 8, version: "1", startedAt: ago(90_000), seenAt: ago(200), isAlive: false, isLeader: false },
    ],
    secondaries: {
      nodes: [
        secondary("ns1"),
        secondary("ns2", {
          lastQuery: query("no answer within 2 s", false),
          progress: { served: 6, total: 7 },
          lastTsigError: { at: ago(60), message: "BADSIG: its secret differs from ours" },
        }),
        secondary("ns3", { lastQuery: query("REFUSED"), joinedAt: null, progress: { served: 2, total: 7 } }),
      ],
    },
    pendingCatalogRemoval: { removalCount: 12 },
    pendingRestore: null,
  },
};

const text = (shown: Picture) =>
  statusLines(shown)
    .map((line) => `${rendered(line, false)}\n`)
    .join("");

test("all of it is on one screen", () => {
  expect(text(picture)).toBe(`Zonesmith     1 at http://127.0.0.1:4000
DNS           127.0.0.1 port 53
Name servers  ns1.example.net. ns2.example.net.
Users         2
Domains       7 (5 LIVE, 1 PENDING, 1 LATE)

INSTANCE         VERSION  STARTED  SEEN
a (7)     leads  1        1 d ago  2 s ago
b (8)     gone   1        1 d ago  3 min ago

SECONDARY  ADDRESS            ZONES            ASKED    ANSWER
ns1        192.0.2.1 port 53  7 of 7           3 s ago  serial 2026112301 (one.example)
ns2        192.0.2.1 port 53  6 of 7           3 s ago  no answer within 2 s (one.example)
ns3        192.0.2.1 port 53  joining, 2 of 7  3 s ago  REFUSED (one.example)

The removal of 12 zones from the catalog waits for confirmCatalogRemoval.

LATE ZONE     SINCE      WHERE
late.example  2 min ago  ns2: No answer within 2 s.

FAILED     WHAT                    WHY
1 min ago  secondary ns2           BADSIG: its secret differs from ours
1 h ago    update of late.example  The key is not known.
`);
});

test("a server that does not have a zone yet has answered; one with all zones is not marked", () => {
  const styles = statusLines(picture).flatMap(({ text, style }) => (/^ns\d/.test(text) ? [style] : []));
  expect(styles).toEqual([undefined, "bad", "warning"]);
});

test("a user's key sees what is the user's; an operator without secondaries what to do", () => {
  expect(text({ ...picture, operator: undefined })).not.toMatch(/INSTANCE|SECONDARY|Secondaries/);
  const none = { instances: [], secondaries: { nodes: [] }, pendingCatalogRemoval: null, pendingRestore: null };
  expect(text({ ...picture, operator: none })).toContain("Secondaries   none; add one with: zonesmith secondary add\n");
});

test("lines and columns that do not fit are cut, and it is said so", () => {
  const lines = Array.from({ length: 30 }, (_, at) => ({ text: `line ${at} ${"x".repeat(100)}` }));
  const shown = fitted(lines, { rows: 24, columns: 80 });
  expect([shown.length, shown[0]?.text.length]).toEqual([24, 80]);
  expect(shown.at(-1)?.text).toBe("… 7 more lines; a taller terminal shows them");
  expect(fitted(lines, { rows: 30, columns: 200 })).toEqual(lines);
});

test.each([
  [0, "0 s ago"],
  [59, "59 s ago"],
  [60, "1 min ago"],
  [7300, "2 h ago"],
  [200_000, "2 d ago"],
  [-5, "0 s ago"],
])("%s seconds are %s", (seconds, shown) => {
  expect(age(ago(seconds), now)).toBe(shown);
});
