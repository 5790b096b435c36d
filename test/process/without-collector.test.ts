/** What the service loads where no traces are collected. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

test("without a collector, no package of OpenTelemetry's SDK is loaded", async () => {
  const main = resolve(import.meta.dirname, "../../dist/src/main.js");
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { if (/@opentelemetry.(sdk|exporter|otlp|resources)/.test(url)) loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(main)});
    console.log(JSON.stringify(loaded));`;
  const node = process.execPath;
  const { stdout } = await promisify(execFile)(node, ["--input-type=module", "-e", script]);
  expect(JSON.parse(stdout)).toEqual([]);
});
