/** What is found of the certificates of a service that speaks HTTPS and DNS over TLS. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { type Config, readConfig } from "../../../src/config/config.ts";
import { checkCertificates, checkDnsOverTls } from "../../../src/doctor/certificates.ts";
import { checkHttp } from "../../../src/doctor/ports.ts";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { clockAhead } from "../../setup/basics/clock.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { testService } from "../../setup/service/service.ts";

const authority = new TestAuthority();
const [own, other] = [authority.issue("own", "DNS:zones.example.net"), authority.issue("other", "DNS:ns.example.net")];
const service = testService({ DNS_TLS_PORT: "0", DNS_TLS_CERT: own.cert, DNS_TLS_KEY: own.key });

const dayMs = 86_400_000;
const inDays = (days: number) => clockAhead(days * dayMs)();
const configOf = (environment: Record<string, string>): Config => readConfig(environment);
const tlsOf = ({ cert, key }: typeof own) => ({ TLS_CERT: cert, TLS_KEY: key });

test.each([
  [10, "OK", /own\.pem is valid until \d{4}-/],
  [17, "WARNING", /^The certificate in .*own\.pem is valid until /],
  [31, "FAILURE", /^TLS_CERT: the certificate in .*own\.pem ended at /],
] as const)("a certificate for 30 days, %s days later: %s", async (days, level, finding) => {
  const findings = await checkCertificates(configOf({ ...tlsOf(own), DNS_TLS_PORT: "853" }), inDays(days));
  expect(findings).toMatchObject([{ check: "TLS_CERT", level, finding: expect.stringMatching(finding) }]);
});

test("each of two certificates is looked at, and files that do not fit together are a failure", async () => {
  const two = { ...tlsOf(own), DNS_TLS_PORT: "853", DNS_TLS_CERT: other.cert, DNS_TLS_KEY: own.key };
  expect(await checkCertificates(configOf(two), inDays(0))).toMatchObject([
    { check: "TLS_CERT", level: "OK" },
    {
      check: "DNS_TLS_CERT",
      level: "FAILURE",
      finding: expect.stringMatching(/^DNS_TLS_KEY: the key in .* is not that/),
    },
  ]);
  expect(await checkCertificates(configOf({}), inDays(0))).toEqual([]);
});

/** Asks at the port of the service, or at another. */
const asked = (files: typeof own, port = service.dnsTlsPort) =>
  checkDnsOverTls(configOf({ ...tlsOf(files), DNS_TLS_PORT: String(port) }), inDays(0));

test("DNS over TLS answers with the certificate of the file, or what is wrong is said", async () => {
  const at = `127.0.0.1 port ${service.dnsTlsPort}`;
  expect(await asked(own)).toEqual([{ check: "DNS TLS", level: "OK", finding: `answers at ${at}` }]);
  expect(await asked(other)).toMatchObject([
    { level: "WARNING", finding: expect.stringContaining(`${at} with another certificate than ${other.cert} holds`) },
  ]);
  const port = await freePort();
  expect(await asked(own, port)).toMatchObject([
    { level: "FAILURE", finding: `At 127.0.0.1 port ${port}: ECONNREFUSED.` },
  ]);
  expect(await asked(own, Number(new URL(service.url).port))).toMatchObject([{ level: "FAILURE" }]);
  expect(await asked(own, 0)).toMatchObject([{ level: "NOTE" }]);
  expect(await checkDnsOverTls(configOf({}), inDays(0))).toEqual([]);
});

test("HTTPS with a certificate that this machine does not accept is a warning: it answers", async () => {
  const server = createServer({ cert: readFileSync(own.cert), key: readFileSync(own.key) }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const finding = expect.stringMatching(/^It answers at .*, with a certificate that this machine does not accept \(/);
  expect(await checkHttp(url)).toMatchObject({ check: "service", level: "WARNING", finding });
  server.close();
});
