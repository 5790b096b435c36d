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

test("an example that ends in a dot is quoted, so that the dot of the sentence is not part of it", () => {
  const examples = {
    NAME_SERVERS: ["ns1", '"ns1.example.net.".'],
    CATALOG_ZONE: ["a b", '"ns1.example.net.".'],
    HOSTMASTER: ["me", '"hostmaster@example.net.".'],
    CORS_ORIGINS: ["app", '"https://app.example.com".'],
  };
  for (const [name, [value, end]] of Object.entries(examples)) {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(end);
    expect(read).not.toThrow(/\.\./);
  }
});
