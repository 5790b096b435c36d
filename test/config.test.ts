import { expect, test } from "@jest/globals";
import { readConfig } from "../src/config.ts";

test("HOSTMASTER is a mailbox: as a name, or with an @ for its dot", () => {
  for (const value of ["hostmaster.example.net.", "hostmaster@example.net.", "Hostmaster@Example.net."])
    expect(readConfig({ HOSTMASTER: value }).HOSTMASTER).toBe("hostmaster.example.net.");
  for (const value of ["hostmaster@example.net", "host.master@example.net.", "@example.net.", "a@b@c."])
    expect(() => readConfig({ HOSTMASTER: value })).toThrow(/HOSTMASTER: .*; write one such as/);
});

test("DELETED_ZONE_GRACE_DAYS is days from 0 to 365, 3 by default", () => {
  expect(readConfig({}).DELETED_ZONE_GRACE_DAYS).toBe(3);
  expect(readConfig({ DELETED_ZONE_GRACE_DAYS: "0" }).DELETED_ZONE_GRACE_DAYS).toBe(0);
  for (const value of ["-1", "1.5", "366", "never"])
    expect(() => readConfig({ DELETED_ZONE_GRACE_DAYS: value })).toThrow(
      "DELETED_ZONE_GRACE_DAYS: write a whole number from 0 to 365",
    );
});
