import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { serial } from "../../../src/dns/serial.ts";
import { Raises } from "../../../src/publisher/serial-raises.ts";
import type { Session } from "../../../src/session/session.ts";

test.each([
  ["a few changes past it, is held", 5, "held"],
  ["farther than a lost history is, needs an administrator, and no confirmation", 20_000_000, "far"],
  ["half the circle away, as well", 2 ** 31, "far"],
])("before a restored backup is confirmed, a serial %s", (_what, lead, expected) => {
  const session = { now: () => new Date("2026-11-25T12:00:00Z") } as Session;
  const raises = new Raises(() => session, pino({ level: "silent" }));
  const target = {
    domainId: 1,
    zone: "example.com",
    serial: 2026112501,
    isDeleted: false,
    isCatalog: false,
    since: 500,
  };
  const [committed, served] = [serial(target.serial), serial((target.serial + lead) % 2 ** 32)];
  expect(raises.raise(1, target, { served, past: served, committed, isWhole: false })).toBe(expected);
});
