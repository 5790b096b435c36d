/** Traces of a running service, as a collector gets them. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spanContextOf } from "../../../src/service/tracing.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { OtlpReceiver, type ReceivedSpan } from "../../setup/service/otlp-receiver.ts";
import { TestService } from "../../setup/service/service.ts";

const receiver = new OtlpReceiver();
const secondary = new Responder();
let service: TestService;

beforeAll(async () => {
  service = new TestService({ OTEL_EXPORTER_OTLP_ENDPOINT: await receiver.open(), LOG_LEVEL: "info" });
  await service.start();
  await secondary.open();
});
afterAll(async () => {
  await service.pause();
  await secondary.close();
  await receiver.close();
});

const named = (name: string) => receiver.spans.filter((span) => span.name === name);
const partsOf = ({ spanId }: ReceivedSpan) => receiver.spans.filter(({ parent }) => parent === spanId);

/** The spans below one, and below those. */
const within = (span: ReceivedSpan): ReceivedSpan[] => partsOf(span).flatMap((part) => [part, ...within(part)]);

async function graphql(query: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await service.post({ query }, { headers });
  expect(response.status).toBe(200);
  await response.text();
}

test("a request is a span of its client's trace; its statements are parts of it, on the road too, without values", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const traceparent = (n: number) => `00-${traceId}-b7ad6b716920333${n}-01`;
  for (const n of [1, 2, 3])
    await graphql('query Owners { users(filter: { email: "secret@example.com" }) { nodes { id } } }', {
      traceparent: traceparent(n),
    });
  const spans = await eventually(() => {
    const requests = named("GraphQL users");
    expect(requests).toHaveLength(3);
    for (const request of requests)
      expect(within(request).filter(({ name }) => name === "select").length).toBeGreaterThan(0);
    return requests;
  });
  expect(spans.map(({ parent }) => parent).toSorted()).toEqual([1, 2, 3].map((n) => `b7ad6b716920333${n}`));
  for (const span of spans) {
    expect(span).toMatchObject({ traceId, kind: 2, status: 0 });
    expect(span.attributes).toMatchObject({ "http.request.method": "POST", "graphql.operation.name": "Owners" });
    for (const part of within(span)) expect(part.traceId).toBe(traceId);
  }
  expect(JSON.stringify(receiver.spans)).not.toContain("secret@example");
  expect(receiver.resources[0]).toMatchObject({ "service.name": "zonesmith" });
  expect(service.logged.some((line) => line.includes(`"traceId":"${traceId}"`))).toBe(true);
});

test("an edit has spans of the change and of its storing; the delivery to a secondary is a trace of its own", async () => {
  const userId = await service.user("owner@example.com");
  await service.domain("traced.example", userId);
  const input = { name: "ns1", address: "127.0.0.1", port: secondary.port, allowUnsignedTransfer: true };
  await service.mutate("createSecondary", input, "secondary { id }");
  await service.record("traced.example", "a", "A", "192.0.2.1");
  const serial = await service.serial("traced.example");
  await service.sql(
    `insert into transferred_zone (domain_id, secondary_id, serial, transferred_at)
     select d.id, s.id, d.serial, now() from domain d, secondary s where d.zone = 'traced.example'`,
  );
  secondary.serials.set("traced.example", serial);
  /** The span of this name about the zone, once there is one. */
  const spanOf = (name: string, isWanted = (_: ReceivedSpan) => true) =>
    eventually(() => {
      const ofZone = named(name).filter(({ attributes }) => attributes["zonesmith.zone"] === "traced.example");
      const span = ofZone.find(isWanted);
      expect(span).toBeDefined();
      return span as ReceivedSpan;
    });
  const change = await spanOf("change zone");
  const [request] = named("GraphQL createRecord");
  expect(change.parent).toBe(request?.spanId);
  const [stored] = partsOf(change).filter(({ name }) => name === "store change");
  expect(stored?.attributes).toMatchObject({ "zonesmith.zone": "traced.example", "zonesmith.changes": 1 });
  expect(within(stored as ReceivedSpan).map(({ kind }) => kind)).toContain(3);
  const delivered = await spanOf("deliver zone", ({ attributes }) => attributes["zonesmith.delivered"] === true);
  expect(delivered).toMatchObject({ parent: "", attributes: { "zonesmith.secondary": "ns1" } });
  expect(delivered.traceId).not.toBe(change.traceId);
});

test("a refusal is on the span of its request by code, and in none by its message", async () => {
  await service.rest("GET", "/record/list/7");
  const [span] = await eventually(() => {
    const spans = named("GET /api/record/list/:id");
    expect(spans).toHaveLength(1);
    return spans;
  });
  expect(span?.attributes).toMatchObject({ "http.response.status_code": 404, "zonesmith.refusals": "NOT_FOUND" });
});

test("what the service does by itself, such as polling, has no spans", async () => {
  await eventually(() => {
    const ids = new Set(receiver.spans.map(({ spanId }) => spanId));
    const statements = receiver.spans.filter(({ attributes }) => "db.system.name" in attributes);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter(({ parent }) => parent === "" || !ids.has(parent))).toEqual([]);
  });
});

test("a collector that takes nothing is named in the log once, and no request fails of it", async () => {
  receiver.status = 400;
  await graphql("{ users { nodes { email } } }");
  await eventually(() =>
    expect(service.logged.filter((line) => line.includes("traces could not be sent"))).toHaveLength(1),
  );
  await graphql("{ users { nodes { email } } }");
});

test.each([
  ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true],
  ["cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-what-comes-later", true],
  ["ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false],
  ["00-00000000000000000000000000000000-b7ad6b7169203331-01", false],
  ["00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false],
  ["00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false],
  ["", false],
])("traceparent %j continues a trace: %s", (traceparent, isTaken) => {
  expect(spanContextOf(traceparent) !== undefined).toBe(isTaken);
});
