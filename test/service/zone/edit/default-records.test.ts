import { expect, test } from "@jest/globals";
import { defaultRecords } from "../../../../src/zone/edit/default-records.ts";
import { policy } from "../../../setup/zones/session.ts";

test("a new zone has an SOA of the operator's timers, an NS for each of its name servers, and www", () => {
  const operators = {
    ...policy,
    nameServers: ["a.example.net.", "b.example.net.", "c.example.net."],
    hostmaster: "dns.example.net.",
    soaTimers: { refresh: 1, retry: 2, expire: 3, minimum: 4 },
  };
  expect(defaultRecords("example.com", operators)).toEqual([
    { owner: "@", type: "SOA", ttl: 3600, rdata: "a.example.net. dns.example.net. 0 1 2 3 4" },
    { owner: "@", type: "NS", ttl: 3600, rdata: "a.example.net." },
    { owner: "@", type: "NS", ttl: 3600, rdata: "b.example.net." },
    { owner: "@", type: "NS", ttl: 3600, rdata: "c.example.net." },
    { owner: "www", type: "CNAME", ttl: 3600, rdata: "example.com." },
  ]);
});
