/** A zone of its own for each test of a file, and the ways in which GraphQL writes to it. */
import { beforeAll, beforeEach, expect } from "@jest/globals";
import { type Json, mutation, type TestService } from "./service.ts";

const fields = "owner type ttl rdata";
const change = "change { id kind previousSerial serial actor source }";
const written = `record { id zone ${fields} domain { serial } } ${change} notices { message }`;
const selections = {
  createRecord: written,
  updateRecord: written,
  deleteRecord: `deletedId ${change} notices { message }`,
  changeRecords: `records { id ${fields} } removed { ${fields} } added { ${fields} } ${change} notices { message }`,
};
type Mutation = keyof typeof selections;

export class TestZone {
  name = "";
  private readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  run(name: Mutation, input: Json): Promise<Json> {
    return this.service.mutate(name, input, selections[name]);
  }

  /** The reasons that a mutation is refused for, each as its code and field; the zone must be as it was. */
  async reasons(name: Mutation, input: Json): Promise<string[]> {
    const before = await this.service.snapshot(this.name);
    const { body } = await this.service.graphql(mutation(name, selections[name]), { input });
    expect(await this.service.snapshot(this.name)).toEqual(before);
    expect(body.data?.[name] ?? null).toBeNull();
    const { code, field, details } = body.errors[0].extensions;
    expect(details.reasons[0]).toMatchObject({ code, ...(field !== undefined && { field }) });
    return details.reasons.map((reason: Json) => `${reason.code} ${reason.field}`);
  }

  /** The serial, the records, and the journal from its beginning. */
  async read(): Promise<Json> {
    const document = `query ($zone: String!) { domain(by: { zone: $zone }) { serial records { nodes { id ${fields} } }
      changes(orderBy: CREATED) { nodes { previousSerial serial removed { nodes { ${fields} } } added { nodes { ${fields} } } } } } }`;
    return (await this.service.data(document, { zone: this.name })).domain;
  }

  /** The id of the first record of this owner and type. */
  async idOf(owner: string, type: string): Promise<string> {
    return (await this.read()).records.nodes.find((record: Json) => record.owner === owner && record.type === type).id;
  }
}

/** A fresh zone with its default records before each test. */
export function testZone(service: TestService): TestZone {
  const zone = new TestZone(service);
  let userId: string;
  let made = 0;
  beforeAll(async () => {
    userId = await service.user("zones@example.com");
  });
  beforeEach(async () => {
    made += 1;
    zone.name = `z${made}.example.com`;
    await service.domain(zone.name, userId);
  });
  return zone;
}
