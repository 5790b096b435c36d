/** The commands for webhooks, before a receiver of the test's own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService({ WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.1" });
const cli = commandLine(service);
const receiver = createServer((request, response) => void request.resume().on("end", () => response.end()));
beforeAll(() => new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => void receiver.close());

test("webhooks are created, listed, shown, changed, tested, rotated and removed, by name or id", async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await service.domain("hooked.example", await service.user("hooked@example.com"));
  const { first, second, id } = await cli.shows(`
    $ webhook add audit ${url} --events domain.created change_set.applied --zones hooked.example --user hooked@example.com
    <first>
    $ webhook add audit ${url} => [1] --events is missing; name one such as change.committed.
    $ webhook add none ${url} --events domain.nothing => [1] DOMAIN_NOTHING
    $ webhook list
    NAME  ID  URL  ON  FAILING SINCE  USER
    audit  <id>  ${url}  yes  -  hooked@example.com
    $ webhook show audit …
    id  <id>
    events  domain.created
            change_set.applied
    zones  hooked.example
    $ webhook change audit --name changes --events change.committed --no-zones --off …
    name  changes
    on  no
    events  change.committed
    zones  -
    $ webhook change changes --on => on  yes
    $ webhook change changes => [2] nothing to change is given
    $ webhook rotate <id> --hours 2
    <second>
    $ webhook test changes => event  webhook.test
  `);
  expect([first, second].map((secret) => /^whsec_/.test(`${secret}`))).toEqual([true, true]);
  await eventually(async () => {
    const [delivery] = JSON.parse(await cli.printed("webhook deliveries changes --state delivered --json"));
    expect(delivery).toMatchObject({ event: "webhook.test", state: "DELIVERED", lastStatus: 200 });
  });
  await cli.shows(`
    $ webhook deliveries ${id}
    WHEN  EVENT  ZONE  STATE  ATTEMPTS  STATUS  ERROR  ID
    …  webhook.test  -  DELIVERED  1  200  -  <delivery>
    $ webhook resend changes => 0 messages wait now.
    $ webhook resend changes <delivery> => 1 messages wait now.
    $ webhook show absent => [1] No webhook is called absent; "zonesmith webhook list" shows the ids.
    $ webhook remove changes => changes is deleted.
    $ webhook list
    NAME  ID  URL  ON  FAILING SINCE  USER
  `);
});
