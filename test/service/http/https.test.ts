/** HTTPS: who is served how where the service holds a certificate, and that it takes a new one while it runs. */
import { once } from "node:events";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type IssuedFiles, TestAuthority } from "../../setup/basics/certificates.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { adminKey, TestService } from "../../setup/service/service.ts";

const authority = new TestAuthority();
const inUse: IssuedFiles = { cert: join(authority.folder, "cert"), key: join(authority.folder, "key") };
const service = new TestService({
  TLS_CERT: inUse.cert,
  TLS_KEY: inUse.key,
  HSTS_SECONDS: "86400",
  DNS_TLS_PORT: "0",
  LOG_LEVEL: "info",
});

/** Puts a certificate and its key where the service reads them. */
function install(files: IssuedFiles): void {
  for (const name of ["cert", "key"] as const) {
    copyFileSync(files[name], `${inUse[name]}.new`);
    renameSync(`${inUse[name]}.new`, inUse[name]);
  }
}

beforeAll(async () => {
  install(authority.issue("server", "DNS:zones.example.net,IP:127.0.0.1"));
  // For fetch; the tests of this worker are the only ones to know the authority.
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(authority.file, "utf8")]);
  await service.start();
});
afterAll(() => service.pause());

const hsts = "strict-transport-security";

test("the service answers at an https URL, and has browsers stay there", async () => {
  expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const query = "{ service { dnsPort } }";
  for (let times = 0; times < 3; times += 1) {
    const { status, headers } = await service.graphql(query);
    expect([status, headers.get(hsts)]).toEqual([200, "max-age=86400"]);
  }
  const missing = await service.rest("GET", "/domain/list/zone/none.example.com");
  expect([missing.status, missing.headers.get(hsts)]).toEqual([404, "max-age=86400"]);
});

test("a malformed request is answered, and a request without TLS is not", async () => {
  const socket = connectTls({ port: Number(new URL(service.url).port), host: "127.0.0.1" });
  socket.write("nonsense\r\n\r\n");
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*strict-transport-security: max-age=86400/i);
  await expect(fetch(service.url.replace("https:", "http:"))).rejects.toThrow();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

test("a sign-in has a cookie that is sent over TLS alone, and only pages of https use it", async () => {
  const ofConsole = { "X-Zonesmith-Console": "1", "Content-Type": "application/json" };
  const signedIn = await fetch(`${service.url}/sign-in`, {
    method: "POST",
    headers: { ...ofConsole, Origin: service.url },
    body: JSON.stringify({ key: adminKey }),
  });
  const set = signedIn.headers.get("set-cookie") ?? "";
  expect([signedIn.status, set]).toEqual([201, expect.stringMatching(/^__Host-zonesmith=.*; Secure$/)]);
  const ask = async (Origin: string) => {
    const headers = { ...ofConsole, Cookie: set.split(";")[0] ?? "", Origin };
    const body = JSON.stringify({ query: "{ viewer { role } }" });
    return (await fetch(`${service.url}/graphql`, { method: "POST", headers, body })).status;
  };
  expect([await ask(service.url), await ask(service.url.replace("https:", "http:"))]).toEqual([200, 403]);
});

/** The name in the certificate at a port. */
async function nameAt(port: number | string): Promise<string | undefined> {
  const socket = connectTls({ port: Number(port), host: "127.0.0.1", ALPNProtocols: [] });
  await once(socket, "secureConnect");
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return [subject.CN].flat()[0];
}

test("a new certificate is taken by HTTPS and by DNS over TLS, a broken one by neither", async () => {
  const ports = [new URL(service.url).port, service.dnsTlsPort];
  const names = () => Promise.all(ports.map(nameAt));
  expect(await names()).toEqual(["server", "server"]);
  install(authority.issue("renewed", "DNS:zones.example.net,IP:127.0.0.1"));
  await eventually(async () => expect(await names()).toEqual(["renewed", "renewed"]));
  writeFileSync(inUse.cert, "broken");
  await eventually(() => expect(service.logged.join("")).toMatch(/a new TLS certificate is not taken/));
  expect(await names()).toEqual(["renewed", "renewed"]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

test("the service does not start with a broken certificate, and says why", async () => {
  await service.pause();
  await expect(service.run()).rejects.toThrow(/^TLS_CERT: .* does not hold a certificate as PEM/);
  install(authority.issue("repaired", "DNS:zones.example.net"));
  await service.run();
  // Clients on this machine reach it by a name that the certificate is for.
  expect(service.url).toMatch(/^https:\/\/zones\.example\.net:\d+$/);
});

test("it stops although a client has not shaken hands", async () => {
  const raw = connect(Number(new URL(service.url).port), "127.0.0.1").on("error", () => {});
  await once(raw, "connect");
  const closed = new Promise((resolve) => raw.once("close", resolve));
  await service.pause();
  await closed;
});
