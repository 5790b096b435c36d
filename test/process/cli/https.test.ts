/**
 * The command and a service with HTTPS.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { zonesmith } from "../../setup/process/process.ts";
import { adminKey, TestService } from "../../setup/service/service.ts";

const authority = new TestAuthority();
const { cert, key } = authority.issue("server", "DNS:zones.example.net,IP:127.0.0.1");
const service = new TestService({ TLS_CERT: cert, TLS_KEY: key });
beforeAll(() => service.start());
afterAll(async () => {
  await service.stop();
  authority.remove();
});

test("a command reaches it by the file of its authority, and says what is missing without", async () => {
  const environment = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const trusting = zonesmith(["user", "list"], { ...environment, NODE_EXTRA_CA_CERTS: authority.file });
  expect([await trusting.ended(), trusting.output().stderr]).toEqual([0, ""]);
  const exporting = zonesmith(["export", "none.example.com"], { ...environment, NODE_EXTRA_CA_CERTS: authority.file });
  expect([await exporting.ended(), exporting.output().stderr]).toEqual([
    1,
    expect.stringContaining("none.example.com"),
  ]);
  const lost = zonesmith(["user", "list"], environment);
  expect([await lost.ended(), lost.output().stderr]).toEqual([
    1,
    expect.stringMatching(/\(\w+\); .*NODE_EXTRA_CA_CERTS/),
  ]);
  const port = new URL(service.url).port;
  const misnamed = zonesmith(["user", "list"], {
    ...environment,
    ZONESMITH_URL: `https://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: authority.file,
  });
  expect([await misnamed.ended(), misnamed.output().stderr]).toEqual([
    1,
    expect.stringMatching(/a name that its cert/),
  ]);
});
