/**
 * Good and bad input that the other records of the zone decide. Each line is well formed alone. The zone is example.com with its
 * default records (SOA, two NS, www CNAME to the zone) and those of `beside`.
 */
import { address, type Given, inFile, inUpdate, type Line, refused } from "./table.ts";

const record = (owner: string, type: string, rdata: string): Given => ({ owner, type, ttl: 3600, rdata });

/** What stands in the zone besides its default records. */
export const beside: readonly Given[] = [
  record("host", "A", "192.0.2.1"),
  record("host", "MX", "10 mail.example.net."),
  record("tree", "DNAME", "example.net."),
  record("leaf.branch", "A", "192.0.2.2"),
  record("cut", "NS", "ns1.example.net."),
];

const conflict = refused("RECORD_CONFLICT", "owner");
const greater = record("@", "SOA", "ns1.example.net. a.example.net. 4000000000 1 1 1 1");
const duplicate = refused("DUPLICATE_RECORD", "rdata");

/** Lines of one verdict; without one, each is taken as it is. */
const lines = (rule: string, verdict: Line["verdict"] | undefined, given: readonly Given[]): Line[] =>
  given.map((each) => ({ rule, given: each, verdict: verdict ?? each }));

export const inZone: readonly Line[] = [
  ...inUpdate(
    "left out",
    lines("a CNAME stands alone at its name; an update passes over what would not", conflict, [
      record("host", "CNAME", "www.example.net."),
      record("www", "A", "192.0.2.1"),
      record("WWW.example.com.", "TXT", "any"),
      record("@", "CNAME", "www.example.net."),
      record("example.com.", "CNAME", "www.example.net."),
    ]),
  ),
  ...["www CNAME www.example.net.", "tree DNAME example.org."].flatMap((line) => {
    const [owner = "", type = "", rdata = ""] = line.split(" ");
    const given = record(owner, type, rdata);
    return inUpdate(given, lines("a CNAME or DNAME is single; an update replaces it", conflict, [given]));
  }),
  ...lines("nothing lives below a DNAME", conflict, [
    record("leaf.tree", "A", "192.0.2.1"),
    record("a.b.tree", "TXT", "any"),
    record("branch", "DNAME", "example.net."),
    record("@", "DNAME", "example.net."),
  ]),
  ...inUpdate(
    greater,
    inFile(
      "left out",
      lines("an SOA is single; an update replaces it, a file leaves it as it is", conflict, [greater]),
    ),
  ),
  ...inUpdate(
    "left out",
    lines("an SOA stands at the apex alone; an update passes over it", conflict, [
      record("sub", "SOA", "ns1.example.net. a.example.net. 1 1 1 1 1"),
    ]),
  ),
  ...lines("a DS never stands at the apex; a wildcard is not delegated", conflict, [
    record("@", "DS", `1 8 2 ${"0A".repeat(32)}`),
    record("*", "NS", "ns1.example.net."),
    record("*.sub", "NS", "ns1.example.net."),
  ]),
  ...inUpdate(
    "left out",
    inFile(
      "left out",
      lines("equal data is the same record, whatever its spelling and case", duplicate, [
        record("host", "A", "192.0.2.1"),
        record("HOST", "a", "192.0.2.1"),
        record("host", "MX", "010 MAIL.example.NET."),
        record("host.example.com.", "TYPE15", "10 mail.example.net."),
      ]),
    ),
  ),
  ...inUpdate(
    { ...record("host", "A", "192.0.2.1"), ttl: 300 },
    inFile(
      { ...record("host", "A", "192.0.2.1"), ttl: 300 },
      lines("a TTL does not make another record; a file's and an update's is the new one", duplicate, [
        { ...record("host", "A", "\\# 4 c0000201"), ttl: 300 },
      ]),
    ),
  ),
  ...lines("what does not touch them is taken", undefined, [
    record("host", "A", "192.0.2.3"),
    record("tree", "A", "192.0.2.3"),
    record("branch", "A", "192.0.2.3"),
    record("cut", "DS", `1 8 2 ${"0A".repeat(32)}`),
    record("@", "NS", "ns3.example.net."),
    record("*", "CNAME", "www.example.net."),
    { ...address, owner: "wwww" },
  ]),
];
