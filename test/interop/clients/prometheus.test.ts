/**
 * A real Prometheus scrapes a service, promtool checks what it is shown and the rules, and every expression of the rules and of the
 * dashboard is about metrics that there are.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { collectDefaultMetrics, Registry } from "prom-client";
import { parse } from "yaml";
import { metrics } from "../../../src/metrics/table.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { has, testWith } from "../../setup/basics/programs.ts";
import { Prometheus, promtool } from "../../setup/servers/prometheus.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const key = "metrics-key-of-a-test-0123456789-0123456789";
const service = testService({ METRICS_KEY: key });
const prometheus = new Prometheus();
const withPrometheus = testWith("prometheus", "promtool");

beforeAll(async () => {
  if (has("prometheus")) await prometheus.start(new URL(service.url).host, key);
});
afterAll(() => prometheus.stop());

const read = (file: string) => readFileSync(resolve(import.meta.dirname, "../../..", file), "utf8");
const { groups } = parse(read("deploy/prometheus/zonesmith.rules.yml"));
const rules: readonly Json[] = groups.flatMap(({ rules }: Json) => rules);
const panels: readonly Json[] = JSON.parse(read("deploy/grafana/zonesmith.json")).panels;

/** An expression of the dashboard as Prometheus takes it, with values of Grafana's variables. */
const inPrometheus = (expression: string) =>
  expression.replaceAll("$job", "zonesmith").replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");

const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }: Json) => inPrometheus(expr))),
];

/** The names of metrics in an expression, without those of the parts of histograms. */
const namesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:zonesmith|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ""),
  );

test("every expression of a rule and of the dashboard is about metrics that there are, and every panel has one", () => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const names = new Set([...Object.keys(metrics), ...register.getMetricsAsArray().map(({ name }) => name)]);
  expect(expressions.length).toBeGreaterThan(40);
  expect(expressions.filter((each) => namesIn(each).length === 0 && !each.includes("up{"))).toEqual([]);
  expect(expressions.flatMap(namesIn).filter((name) => !names.has(name))).toEqual([]);
  expect(panels.filter(({ type, targets = [] }) => type !== "row" && targets.length === 0)).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test("every label that an expression selects or groups by is one of its metric", () => {
  const given = new Set([
    "job",
    "instance",
    "le",
    "alertname",
    ...Object.values(metrics).flatMap((each) => each.labels),
  ]);
  const labels = expressions.flatMap((each) => [
    ...[...each.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label as string),
    ...[...each.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => (list as string).split(/,\s*/)),
  ]);
  expect(labels.filter((label) => !given.has(label))).toEqual([]);
});

test("every alert says what is wrong and what to do, and has a row in docs/monitoring.md", () => {
  const documented = read("docs/monitoring.md");
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Zonesmith[A-Z]\w+$/);
    expect(["critical", "warning", "info"]).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.action).toMatch(/\.$/);
    expect(documented).toContain(`| \`${alert}\` |`);
  }
});

withPrometheus("promtool finds nothing wrong with the rules, and their tests pass", async () => {
  expect(await promtool(["check", "rules", "zonesmith.rules.yml"])).toMatchObject({ code: 0 });
  expect(await promtool(["test", "rules", "zonesmith.rules.test.yml"])).toMatchObject({ code: 0 });
});

withPrometheus("promtool finds nothing wrong with names, units and help of what a scrape shows", async () => {
  await service.data("{ users { nodes { id } } }");
  const answer = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${key}` } });
  const { printed } = await promtool(["check", "metrics"], await answer.text());
  // Those of Node are as prom-client names them.
  expect(printed.split("\n").filter((line) => line.startsWith("zonesmith_"))).toEqual([]);
});

withPrometheus("a real Prometheus scrapes all metrics of the table that have values, with their types", async () => {
  await eventually(async () => expect(await prometheus.values('up{job="zonesmith"}')).toMatchObject([{ value: 1 }]));
  await eventually(async () => expect(await prometheus.values("zonesmith_leader")).toMatchObject([{ value: 1 }]));
  const metadata = (await prometheus.get("metadata")) as Readonly<Record<string, readonly Json[]>>;
  const scraped = Object.entries(metrics).map(([name]) => [name, metadata[name]?.[0]?.type, metadata[name]?.[0]?.help]);
  expect(scraped).toEqual(Object.entries(metrics).map(([name, { type, help }]) => [name, type, help]));
  const counted = () => prometheus.values('zonesmith_http_requests_total{operation="users"}');
  const expected = [{ metric: { front: "graphql", status: "200" }, value: expect.any(Number) }];
  await eventually(async () => expect(await counted()).toMatchObject(expected));
});

withPrometheus(
  "Prometheus evaluates every expression of the dashboard, and fires no alert about a healthy service",
  async () => {
    for (const expression of expressions) await prometheus.values(expression);
    const groups = await eventually(async () => {
      const { groups } = await prometheus.get("rules");
      expect(groups[0].rules.map(({ health }: Json) => health)).toEqual(rules.map(() => "ok"));
      return groups;
    });
    expect(groups[0].rules.filter(({ state }: Json) => state === "firing")).toEqual([]);
  },
);
