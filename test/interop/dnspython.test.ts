/**
 * The five kinds of prerequisites (RFC 2136 §2.4) as dnspython's update module sends them, over UDP and TCP in turn.
 */
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@jest/globals";
import { testIf } from "../setup/basics/programs.ts";
import { testService } from "../setup/service/service.ts";
import { updateZone } from "../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

/** Debian's Python, for which its packages are. */
const python = "/usr/bin/python3";
const hasDnspython = spawnSync(python, ["-c", "import dns.update"]).status === 0;

const prerequisites: readonly (readonly [rcode: string, ...prerequisite: string[]])[] = [
  ["NOERROR", "present", "a"],
  ["NXDOMAIN", "present", "b"],
  ["NOERROR", "present", "a", "A"],
  ["NXRRSET", "present", "a", "AAAA"],
  ["NOERROR", "present", "a", "A", "192.0.2.1"],
  ["NXRRSET", "present", "a", "A", "192.0.2.2"],
  ["NOERROR", "absent", "b"],
  ["YXDOMAIN", "absent", "a"],
  ["NOERROR", "absent", "a", "AAAA"],
  ["YXRRSET", "absent", "a", "A"],
];

testIf(hasDnspython || process.env.CI !== undefined, "dnspython")("prerequisites by dnspython", async () => {
  await zone.add(["a 300 A 192.0.2.1"]);
  const stood = await zone.read();
  const running = promisify(execFile)(python, [join(import.meta.dirname, "prerequisites.py")]);
  running.child.stdin?.end(
    JSON.stringify({
      port: service.dnsPort,
      zone: zone.name,
      key: zone.key.name,
      secret: Buffer.from(zone.key.secret).toString("base64"),
      prerequisites: prerequisites.map(([, ...prerequisite]) => prerequisite),
    }),
  );
  expect(JSON.parse((await running).stdout)).toEqual(prerequisites.map(([rcode]) => rcode));
  const made = prerequisites.filter(([rcode]) => rcode === "NOERROR").length;
  const stands = await zone.read();
  expect([stands.changes - stood.changes, stands.serial - stood.serial]).toEqual([made, made]);
});
