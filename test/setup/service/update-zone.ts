/** A zone for each test of updates, what stands in it, and keys that may update it. */
import { beforeAll, beforeEach } from "@jest/globals";
import { type ClientKey, clientKey, UpdateClient } from "../dns/update-client.ts";
import type { Json, TestService } from "./service.ts";

/** What stands in a zone, and how often it changed. */
export interface Contents {
  /** Every record but the SOA as `owner ttl type rdata`, sorted. */
  readonly records: readonly string[];
  readonly soa: string;
  readonly serial: number;
  readonly changes: number;
}

export class UpdateZone {
  name = "";
  userId = "";
  /** A key of the user's without any bound. */
  key: ClientKey = clientKey("none", "");
  readonly client: UpdateClient;
  private readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
    this.client = new UpdateClient(() => service.dnsPort);
  }

  /** Adds records, each as `owner ttl type rdata`. */
  async add(lines: readonly string[]): Promise<void> {
    const add = lines.map((line) => {
      const [owner, ttl, type, ...rdata] = line.split(" ");
      return { owner, ttl: Number(ttl), type, rdata: rdata.join(" ") };
    });
    if (add.length > 0) await this.service.mutate("changeRecords", { zone: this.name, add }, "notices { message }");
  }

  async read(): Promise<Contents> {
    const document = `query ($zone: String!) { domain(by: { zone: $zone }) { serial changes { totalCount }
      records(first: 1000) { nodes { owner ttl type rdata } } } }`;
    const { domain } = await this.service.data(document, { zone: this.name });
    const lines: string[] = domain.records.nodes.map(
      ({ owner, ttl, type, rdata }: Json) => `${owner} ${ttl} ${type} ${rdata}`,
    );
    return {
      records: lines.filter((line) => !line.includes(" SOA ")).toSorted(),
      soa: lines.find((line) => line.includes(" SOA ")) ?? "",
      serial: domain.serial,
      changes: domain.changes.totalCount,
    };
  }

  /** The refusals that were noted of this zone, the newest first. */
  async refusals(key?: string): Promise<Json[]> {
    const document = `query ($zone: String!) { updateRefusals(filter: { zone: $zone }) {
      nodes { zone code rcode reason address protocol keyName keyAlgorithm requestLines domain { zone } } } }`;
    return (await this.service.data(document, { zone: this.name }, key)).updateRefusals.nodes;
  }
}

/** A fresh zone with two NS and nothing else before each test. */
export function updateZone(service: TestService): UpdateZone {
  const zone = new UpdateZone(service);
  let made = 0;
  beforeAll(async () => {
    zone.userId = await service.user("updates@example.com");
    zone.key = await service.tsigKey({ name: "all.example.com", userId: zone.userId });
  });
  beforeEach(async () => {
    made += 1;
    zone.name = `u${made}.example.com`;
    await service.domain(zone.name, zone.userId);
    const { records } = await service.data(
      `{ records(filter: { zone: "${zone.name}", types: "CNAME" }) { nodes { id } } }`,
    );
    await service.mutate("deleteRecord", { recordId: records.nodes[0].id }, "deletedId");
  });
  return zone;
}
