import { expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();

test("without METRICS_PORT and METRICS_KEY there are no metrics", async () => {
  const answer = await fetch(`${service.url}/metrics`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: "NOT_FOUND", message: expect.stringContaining("METRICS_KEY") });
  expect(service.metricsUrl).toBe("");
});

test.each([
  [{ METRICS_PORT: "x" }, "METRICS_PORT: write a whole number from 0 to 65535"],
  [{ METRICS_KEY: "short" }, "METRICS_KEY: write 32 to 256 printable characters"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, 'OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" is not a URL'],
])("%j is refused with what to write", (environment, message) => {
  expect(() => readConfig(environment as NodeJS.ProcessEnv)).toThrow(message);
});
