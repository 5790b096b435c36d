/**
 * What is expected of a name server that follows the service of a test.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { has } from "../basics/programs.ts";
import { identities } from "../dns/identities.ts";
import { adminKey, type TestService } from "../service/service.ts";
import { Follower, transfer } from "./follower.ts";
import type { Server } from "./name-servers.ts";

export class Following extends Follower {
  /** Expects that the change becomes LIVE, and that it is this server where it does. */
  async live(change: string, within = 60_000): Promise<void> {
    const document = `query ($id: ID!, $within: Int!) { change(id: $id) {
      publication(waitFor: LIVE, timeoutMs: $within) { state secondaries { secondary { name } state lastError } } } }`;
    const { publication } = (await this.service.data(document, { id: change, within })).change;
    const served = [{ secondary: { name: this.server.name }, state: "LIVE", lastError: null }];
    const log = publication.state === "LIVE" ? "" : this.log.slice(-3000);
    expect({ ...publication, log }).toEqual({ state: "LIVE", secondaries: served, log: "" });
  }

  /** Expects that the zone it serves, as dig transfers it, is record for record the zone in the database. */
  async servesOurs(zone: string): Promise<number> {
    const theirs = await transfer(this.port, zone, this.server.opensTo === "key" ? this.key : undefined);
    const response = await fetch(`${this.service.url}/api/domain/zonefile/${encodeURIComponent(zone)}`, {
      headers: { "X-API-Key": adminKey },
    });
    const left = (this.server.omits ?? []).map((mnemonic) => ` TYPE${recordType(mnemonic).code} `);
    const have = await identities(theirs, zone);
    const ours = await identities(await response.text(), zone);
    const want = ours.filter((each) => !left.some((type) => each.includes(type)));
    const lacks = new Set(have);
    const holds = new Set(want);
    expect({
      missing: want.filter((each) => !lacks.has(each)).slice(0, 20),
      strange: have.filter((each) => !holds.has(each)).slice(0, 20),
      count: have.length,
    }).toEqual({ missing: [], strange: [], count: want.length });
    return ours.length;
  }
}

/** One server that follows the service of a test file. */
export function testFollowing(service: TestService, server: Server): Following {
  const following = new Following(service, server);
  beforeAll(async () => {
    if (has(...server.programs)) await following.follow();
  });
  afterAll(() => following.remove());
  return following;
}
