/** A zone of its own for each test of a file, which had mail servers: three changes after its creation. */
import { beforeEach } from "@jest/globals";
import { type TestZone, testZone } from "./graphql-zone.ts";
import type { Json, TestService } from "./service.ts";

const mx = (host: string, preference = 10) => ({ owner: "@", type: "MX", rdata: `${preference} ${host}.example.org.` });

export const lines = "lines { op ttl rdata change { id } }";
/** The mail servers of a zone or a moment, in a selection, and as texts. */
export const ofMx = (selected: string) => `records(types: ["MX"]) { nodes { ${selected} } }`;
export const texts = ({ records }: Json) => records.nodes.map(({ ttl, rdata }: Json) => `${ttl} ${rdata}`);

export class ZoneWithPast {
  readonly zone: TestZone;
  readonly #service: TestService;
  /** The id of the change that created the zone. */
  created = "";
  /** The first mail server was added, was given a lower TTL beside a second one, and both were removed. */
  added: Json;
  moved: Json;
  removed: Json;

  constructor(service: TestService) {
    this.#service = service;
    this.zone = testZone(service);
    beforeEach(() => this.live());
  }

  async live(): Promise<void> {
    const { change, ask } = this;
    this.created = (await ask("changes(last: 1) { nodes { id } }")).changes.nodes[0].id;
    this.added = await change({ add: [mx("mail")], note: "the first mail server" });
    const [{ id }] = this.added.records;
    this.moved = await change({ update: [{ recordId: id, ttl: 300 }], add: [mx("backup", 20)] });
    this.removed = await change({ remove: [id, this.moved.records[1].id], note: "clean up" });
  }

  readonly change = (input: Json): Promise<Json> => {
    const selected = "records { id } change { id serial createdAt actor }";
    return this.#service.mutate("changeRecords", { zone: this.zone.name, ...input }, selected);
  };

  /** Asks for fields of the zone. */
  readonly ask = async (fields: string): Promise<Json> =>
    (await this.#service.data(ofZone(fields), { zone: this.zone.name })).domain;

  /** The extensions of the error by which an operation is refused. */
  readonly refusal = async (document: string, variables: Json = {}, key?: string): Promise<Json> =>
    (await this.#service.graphql(document, variables, key)).body.errors[0].extensions;

  /** The same of fields of the zone. */
  readonly refused = (fields: string): Promise<Json> => this.refusal(ofZone(fields), { zone: this.zone.name });
}

const ofZone = (fields: string) => `query ($zone: String!) { domain(by: { zone: $zone }) { ${fields} } }`;
