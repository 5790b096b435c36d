/**
 * GraphiQL: a page of its own under a policy of its own, with the sign-in of the console.
 */
import { beforeAll } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);

beforeAll(async () => {
  await service.domain("example.com", await service.user("owner@example.com"));
});

test("an operation runs as the one who is signed in, and fields are offered from the schema", async () => {
  const { page } = await browser.open("/graphiql");
  await page.getByText("publication").first().waitFor();
  await page.getByRole("button", { name: /^Execute query/ }).click();
  await page.locator(".result-window").getByText("example.com").waitFor();
  await page.locator(".result-window").getByText("UNSERVED").waitFor();
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.locator(".graphiql-plugin").getByText("Mutation").first().waitFor();
});

test("without a sign-in it says so", async () => {
  const watched = await browser.open("/graphiql", null);
  await watched.page.getByRole("button", { name: /^Execute query/ }).click();
  await watched.page.locator(".result-window").getByText("UNAUTHENTICATED").first().waitFor();
  watched.forgive(/status of 401/);
});
