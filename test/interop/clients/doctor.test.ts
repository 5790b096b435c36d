/**
 * What doctor finds at a real Knot: one that follows, one with another secret, and one that was configured without the catalog and without
 * the right to send it NOTIFY.
 */
import { expect } from "@jest/globals";
import { examine } from "../../../src/doctor/doctor.ts";
import { thisMachine } from "../../../src/doctor/machine.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { knot } from "../../setup/servers/name-servers.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith(...knot.programs);
const service = testService();
const following = testFollowing(service, knot);

async function found(): Promise<string[]> {
  const environment = { DATABASE_URL: service.databaseUrl, DNS_PORT: String(service.dnsPort) };
  const lines: string[] = [];
  for await (const each of examine({ environment, url: service.url, leastFree: 0, machine: thisMachine() }))
    if (/^(Knot|DNS ...): /.test(`${each.check}: `)) lines.push(`${each.level} ${each.check}: ${each.finding}`);
  return lines;
}

const overBoth = ["UDP", "TCP"].map((protocol) =>
  expect.stringMatching(new RegExp(`^OK DNS ${protocol}: .*catalog\\.zonesmith has serial \\d+$`)),
);

test("a Knot that follows is all right, and what it is not given is named", async () => {
  const userId = await service.user("owner@example.com");
  await service.domain("doctor.example.com", userId);
  await eventually(async () =>
    expect(await found()).toEqual([
      ...overBoth,
      `OK Knot: reachable: 127.0.0.1 port ${following.port} answers over UDP and TCP`,
      `OK Knot: TSIG: accepts and signs with ${following.key.name}`,
      "OK Knot: NOTIFY: answered",
      expect.stringMatching(/^OK Knot: catalog: \S+ is followed, at serial \d+$/),
      "OK Knot: zones: serves all 1",
    ]),
  );

  await following.stop();
  await following.startWithSecret(Buffer.alloc(32).toString("base64"));
  expect(await found()).toContainEqual(expect.stringMatching(/^FAILURE Knot: TSIG: BADSIG/));
  await following.stop();

  const stanza = await following.stanza();
  const member = "zone:\n  - domain: doctor.example.com\n    template: zonesmith-member\n";
  following.configure(stanza.replace(/^zone:\n[\s\S]*/m, member).replace("[notify, transfer]", "[transfer]"));
  await following.start();
  await eventually(async () =>
    expect(await found()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^WARNING Knot: NOTIFY: For doctor\.example\.com: BADKEY: .* at its next refresh only/),
        expect.stringMatching(/^WARNING Knot: catalog: It does not serve the catalog/),
      ]),
    ),
  );
});
