/**
 * The console over HTTPS: signing in, changing a zone and seeing what others change, with a cookie that is bound to TLS.
 */
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { TestAuthority } from "../setup/basics/certificates.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { adminKey, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const authority = new TestAuthority();
const { cert, key } = authority.issue("server", "IP:127.0.0.1");
setDefaultCACertificates([...getCACertificates("default"), readFileSync(authority.file, "utf8")]);
const service = testService({ TLS_CERT: cert, TLS_KEY: key });
const browser = testBrowser(service);
const zone = "example.com";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  await service.record(zone, "box", "A", "192.0.2.1");
});
afterAll(() => authority.remove());

test("one signs in, sees another's change by itself, and applies an edit", async () => {
  const watched = await browser.open(`/console/zones/${zone}`, null, { ignoreHTTPSErrors: true });
  const { page } = watched;
  await page.getByLabel("API key").fill(adminKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: zone }).waitFor();
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, secure }) => [name, secure])).toEqual([["__Host-zonesmith", true]]);
  const user = await new SheetUser(page).ready();
  await user.cell("box").click();
  await user.type("192.0.2.77");
  await user.press("Enter");
  await page.getByText("1 staged:").waitFor();
  await service.record(zone, "other", "A", "192.0.2.9");
  await user.row("other").waitFor();
  await user.review();
  await user.apply();
  const { domain } = await service.data(
    `{ domain(by: { zone: "${zone}" }) { records(types: "A") { nodes { rdata } } } }`,
  );
  expect(domain.records.nodes.map(({ rdata }: { rdata: string }) => rdata).toSorted()).toEqual([
    "192.0.2.77",
    "192.0.2.9",
  ]);
  watched.forgive(/status of 401/);
});
