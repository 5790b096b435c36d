/** The pages of the console: their paths, how they are cached, and what they may do in a browser. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { raw } from "../../setup/service/client.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const withoutConsole = testService({ CONSOLE: "off" });
const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const get = (path: string, headers: Record<string, string> = browser, method = "GET") =>
  fetch(service.url + path, { method, headers, redirect: "manual" });
const index = readFileSync(resolve(import.meta.dirname, "../../../dist/console/index.html"), "utf8");
const [script = ""] = /\/console\/assets\/[\w.-]+\.js/.exec(index) ?? [];

/** What the policies of all pages have. */
const common = `default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; \
base-uri 'none'; frame-ancestors 'none';`;

test.each(["/console/", "/console/zones", "/console/zones/example.com", "/console/zones/a.js/text"])(
  "%s is the console without a key",
  async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, index]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
  },
);

test("a page may load and call this service alone, in no frame, and say nothing of where it is", async () => {
  const { headers } = await get("/console/");
  expect(headers.get("content-security-policy")).toBe(
    `${common} style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
  });
});

test("an asset is kept for a year, and sent as it was compressed by the build", async () => {
  const head = [`GET ${script} HTTP/1.1`, "Host: x", "Accept-Encoding: gzip"];
  const packed = readFileSync(resolve(import.meta.dirname, "../../../dist", `${script.slice(1)}.gz`));
  const { status, headers } = await raw(service.url, head);
  const length = String(packed.length);
  expect([status, headers.get("content-encoding"), headers.get("content-length")]).toEqual([200, "gzip", length]);
  const { headers: ofAsset } = await get(script);
  expect(ofAsset.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(ofAsset.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(ofAsset.get("vary")).toMatch(/Accept-Encoding/);
  const plain = await get(script, { "Accept-Encoding": "identity" });
  expect(await plain.text()).toBe(gunzipSync(packed).toString());
});

test("the licences of what a page is made of are there", async () => {
  const response = await get("/console/licenses.md");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toMatch(/## react-dom[^#]*MIT/);
  expect(await (await get("/graphiql/licenses.md")).text()).toMatch(/## codemirror/);
});

test("GraphiQL is a page of its own, whose editor may write styles", async () => {
  expect((await get("/graphiql")).headers.get("location")).toBe("/graphiql/");
  const { status, headers } = await get("/graphiql/");
  expect([status, headers.get("content-security-policy")]).toEqual([
    200,
    `${common} style-src 'self' 'unsafe-inline'; font-src 'self' data:`,
  ]);
  expect((await get("/graphiql/zones")).status).toBe(401);
});

test("a page that a browser has is not sent again", async () => {
  const first = await get("/console/", { "Accept-Encoding": "gzip" });
  const tag = first.headers.get("etag");
  const head = ["GET /console/ HTTP/1.1", "Host: x", "Accept-Encoding: gzip"];
  const again = await raw(service.url, [...head, `If-None-Match: ${tag}`]);
  expect([again.status, again.body]).toEqual([304, undefined]);
  expect((await raw(service.url, [...head, 'If-None-Match: "older"'])).status).toBe(200);
});

test.each([
  ["/console/assets/none.js", 404],
  ["/console/assets/..%2findex.html", 404],
  ["/console/assets/%2e%2e%2f%2e%2e%2fbuild-info.json", 404],
  ["/consoles", 401],
])("%s is no file: %i", async (path, status) => {
  const response = await get(path);
  expect([response.status, response.headers.get("cache-control")]).toEqual([status, "no-store"]);
});

test("the start of the service leads a browser to the console, and another program to the paths", async () => {
  for (const path of ["/", "/console"]) {
    const { status, headers } = await get(path);
    expect([status, headers.get("location")]).toEqual([302, "/console/"]);
  }
  expect((await get("/", { Accept: "*/*" })).status).toBe(401);
  expect((await get("/", { Accept: "application/json", "X-API-Key": adminKey })).status).toBe(404);
  expect((await get("/console/", browser, "POST")).status).toBe(401);
  expect((await get("/console/", browser, "HEAD")).status).toBe(200);
});

test("with CONSOLE=off none of the pages is served, and all the rest is", async () => {
  const headers = { Accept: "text/html", "X-API-Key": adminKey };
  for (const path of ["/", "/console/", "/console/zones"])
    expect((await fetch(withoutConsole.url + path, { headers, redirect: "manual" })).status).toBe(404);
  expect((await withoutConsole.data("{ viewer { role } }")).viewer.role).toBe("ADMINISTRATOR");
});
