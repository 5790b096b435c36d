import { expect, test } from "@jest/globals";
import { Metrics } from "../../../src/metrics/metrics.ts";
import { RequestCounter } from "../../../src/metrics/requests.ts";
import { samplesOf } from "../../setup/basics/exposition.ts";

/** The samples of these requests whose names begin so. */
async function counted(requests: readonly Parameters<RequestCounter["add"]>[0][], begins: string) {
  const metrics = new Metrics();
  const counter = new RequestCounter(metrics);
  for (const request of requests) counter.add(request);
  return [...samplesOf(await metrics.text())].filter(([name]) => name.startsWith(begins));
}

const request = { status: 200, ms: 1 };

test("the front of a request is that of its path, whatever else the path says", async () => {
  const paths = ["/graphql", "/api/x", "/sign-in", "/console/a/b", "/readyz", "/metrics", "/constructor", "/", ""];
  const shown = await counted(
    paths.map((path) => ({ ...request, path })),
    "zonesmith_http_requests_total",
  );
  expect(shown.map(([name, value]) => [/front="([^"]*)"/.exec(name)?.[1], value])).toEqual([
    ["graphql", 1],
    ["rest", 1],
    ["sign-in", 1],
    ["pages", 1],
    ["probes", 1],
    ["metrics", 1],
    ["other", 3],
  ]);
});

test("the buckets of durations are cumulative, a bound belongs to its bucket, and the sum is in seconds", async () => {
  const shown = await counted(
    [1, 2, 100_000].map((ms) => ({ ...request, path: "/api", ms })),
    "zonesmith_http_request_duration_seconds",
  );
  const of = (part: string) => shown.find(([name]) => name.includes(part))?.[1];
  expect(of('le="0.001"')).toBe(1);
  expect(of('le="0.0025"')).toBe(2);
  expect(of('le="10"')).toBe(2);
  expect(of('le="+Inf"')).toBe(3);
  expect(of("_count")).toBe(3);
  expect(of("_sum")).toBeCloseTo(100.003);
});

test("a stream of events has no duration, as it lasts as long as its client likes", async () => {
  const stream = { ...request, path: "/graphql", front: "events", endpoint: "domainChanged" };
  expect(await counted([stream], "zonesmith_http_request_duration_seconds")).toEqual([]);
  expect(await counted([stream], "zonesmith_http_requests_total")).toHaveLength(1);
});
