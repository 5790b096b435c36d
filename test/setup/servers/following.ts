/** What is expected of name servers that follow the service of a test. */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { eventually } from "../basics/eventually.ts";
import { has } from "../basics/programs.ts";
import { identities } from "../dns/identities.ts";
import type { Client, Json } from "../service/client.ts";
import { Follower, transfer } from "./follower.ts";
import type { Server } from "./name-servers.ts";

export class Following extends Follower {
  declare readonly service: Client;

  /** Expects that the change becomes LIVE, and that it is this server where it does. */
  async live(change: string): Promise<void> {
    const document = `query ($id: ID!) { change(id: $id) {
      publication(waitMs: 60000) { state secondaries { name state lastError } } } }`;
    const { publication } = (await this.service.data(document, { id: change })).change;
    const served = [{ name: this.server.name, state: "LIVE", lastError: null }];
    const log = publication.state === "LIVE" ? "" : this.log.slice(-3000);
    expect({ ...publication, log }).toEqual({ state: "LIVE", secondaries: served, log: "" });
  }

  /** Does a mutation that changes a zone, and expects that its change becomes LIVE here; returns the payload. */
  async published(name: string, input: Json, more = ""): Promise<Json> {
    const payload = await this.service.mutate(name, input, `change { id serial } ${more}`);
    await this.learn();
    await this.live(payload.change.id);
    return payload;
  }

  /** Adds an A record, and expects that it becomes LIVE here; returns its id. */
  async add(zone: string, owner: string, rdata = "192.0.2.1"): Promise<string> {
    const input = { zone, owner, type: "A", rdata };
    return (await this.published("createRecord", input, "record { id }")).record.id;
  }

  /**
   * Expects that it acknowledged the last NOTIFY. A response that comes too late is lost, and a copy that is level gets no other NOTIFY,
   * so another record is added then.
   */
  async acknowledgesNotify(zone: string): Promise<void> {
    let added = 0;
    await eventually(async () => {
      const { lastNotify } = await this.noted("lastNotify { message }");
      if (lastNotify?.message.startsWith("no answer")) {
        const input = { zone, owner: `notify-${++added}`, type: "A", rdata: "192.0.2.1" };
        await this.service.mutate("createRecord", input, "change { publication(waitMs: 60000) { state } }");
      }
      expect([this.server.name, lastNotify]).toEqual([this.server.name, { message: "NOERROR" }]);
    });
  }

  /** Expects that the zone it serves, as dig transfers it, is record for record the zone in the database. */
  async servesOurs(zone: string): Promise<number> {
    const theirs = await transfer(this.port, zone, this.key);
    const { text } = await this.service.rest("GET", `/domain/zonefile/${encodeURIComponent(zone)}`);
    const left = (this.server.omits ?? []).map((mnemonic) => ` TYPE${recordType(mnemonic).code} `);
    const have = await identities(theirs, zone);
    const ours = await identities(text, zone);
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

/** The state in which each zone is published, and the catalog. */
export async function publicationStates(service: Client): Promise<Readonly<Record<string, string>>> {
  const document = "{ domains { nodes { zone publication { state } } } catalog { zone publication { state } } }";
  const { domains, catalog } = await service.data(document);
  return Object.fromEntries([...domains.nodes, catalog].map(({ zone, publication }) => [zone, publication.state]));
}

/** One server that follows the service of a test file. */
export function testFollowing(service: Client, server: Server): Following {
  const following = new Following(service, server);
  beforeAll(async () => {
    if (has(...server.programs)) await following.follow();
  });
  afterAll(() => following.remove());
  return following;
}
