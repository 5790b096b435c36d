/** The command and a service with HTTPS. */
import { expect, test } from "@jest/globals";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { blocksOf } from "../../setup/basics/documents.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { Shell } from "../../setup/process/shell.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const authority = new TestAuthority();
const { cert, key } = authority.issue("server", "DNS:zones.example.net,IP:127.0.0.1");
const service = testService({ TLS_CERT: cert, TLS_KEY: key });

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

test("the commands of the document reach it", async () => {
  const [block] = blocksOf("docs/operation.md", "sh").filter(({ heading }) => heading === "HTTPS");
  const shell = new Shell(service);
  await shell.run(`export PATH="$PWD/bin:$PATH" ZONESMITH_API_KEY=${adminKey}`);
  const printed = await shell.run((block?.text ?? "").replace("/etc/zonesmith/authority.pem", authority.file));
  expect(printed).toMatch(/ at https:[\s\S]*\n\[\]\n/);
});
