/**
 * The command and a service with HTTPS.
 */
import { afterAll, beforeAll, test } from "@jest/globals";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { TestService } from "../../setup/service/service.ts";

const authority = new TestAuthority();
const { cert, key } = authority.issue("server", "DNS:zones.example.net,IP:127.0.0.1");
const service = new TestService({ TLS_CERT: cert, TLS_KEY: key });
beforeAll(() => service.start());
afterAll(async () => {
  await service.stop();
  authority.remove();
});

test("a command reaches it by the file of its authority, and says what is missing without", async () => {
  const cli = commandLine(service);
  const trusting = { NODE_EXTRA_CA_CERTS: authority.file };
  await cli.shows("$ user list", {}, trusting);
  await cli.shows("$ export none.example.com => [1] none.example.com", {}, trusting);
  await cli.shows("$ user list => [1] …(<code>); …NODE_EXTRA_CA_CERTS");
  const misnamed = { ...trusting, ZONESMITH_URL: `https://localhost:${new URL(service.url).port}` };
  await cli.shows("$ user list => [1] a name that its cert", {}, misnamed);
});

test("a command that speaks HTTP to it is told to try HTTPS, in GraphQL and in REST", async () => {
  const plain = { ZONESMITH_URL: service.url.replace("https:", "http:") };
  const said = `(<code>); if it serves HTTPS (TLS_CERT), try https: set ZONESMITH_URL to ${service.url}.`;
  await commandLine(service).shows(`$ user list => [1] …${said}`, {}, plain);
  await commandLine(service).shows(`$ export none.example.com => [1] …${said}`, {}, plain);
});
