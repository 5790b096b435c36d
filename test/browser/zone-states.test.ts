/** The list of zones of one state, while zones leave the state and come into it. */
import { afterAll, beforeAll } from "@jest/globals";
import type { Page } from "playwright-core";
import { Rcode } from "../../src/dns/message/header.ts";
import { testConsole } from "../setup/browser/console-browser.ts";
import { FollowingResponder } from "../setup/service/following-responder.ts";

const { test, service, browser } = testConsole({ PUBLICATION_LATE_SECONDS: "86400" });
const zone = "moving.example";
const server = new FollowingResponder(service);

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
  await server.register("follower");
});
afterAll(() => server.close());

const list = async (state: string) => (await browser.open(`/console/zones?state=${state}`)).page;
const row = (page: Page) => page.getByRole("row").filter({ hasText: zone });

test("it loses those that leave, and gains those that come", async () => {
  const live = await list("LIVE");
  await row(live).getByText("1 of 1").waitFor();
  const pending = await list("PENDING");
  await pending.getByText("No zone matches").waitFor();
  server.onNotify = () => Rcode.NOERROR;
  await service.record(zone, "new", "A", "192.0.2.1");
  await row(pending).waitFor();
  await row(live).waitFor({ state: "detached" });
  await server.follow(zone);
  await row(live).waitFor();
  await row(pending).waitFor({ state: "detached" });
});

test("it follows what no event says, as when servers begin to count", async () => {
  const unserved = await list("UNSERVED");
  await unserved.getByText("No zone matches").waitFor();
  await unserved.clock.install();
  const { secondaries } = await service.data("{ secondaries { nodes { id } } }");
  await service.mutate("deleteSecondary", { by: { id: secondaries.nodes[0].id } }, "deletedId");
  await unserved.clock.fastForward(20_000);
  await row(unserved).waitFor();
});
