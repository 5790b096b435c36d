/** `check` shows what is wrong with zones, its exit code says how bad it is, and `--servers` asks their name servers first. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import type { RunningService } from "../../setup/process/running-service.ts";
import { servicesOfDatabase } from "../../setup/process/service-process.ts";
import { Client } from "../../setup/service/client.ts";

const services = servicesOfDatabase();
const client = new Client();
const cli = commandLine(client);

/** A resolver that finds nothing: it sends questions back as answers. */
const resolver = createServer((socket) =>
  socket.on("data", (message) => {
    message[4] = 0x80;
    socket.write(message);
  }),
);

afterAll(() => void resolver.close());
let leader: RunningService;

beforeAll(async () => {
  leader = await services.startLeader();
  Object.assign(client, leader);
  const userId = await client.user("owner@example.com");
  for (const zone of ["good.example", "bad.example"]) await client.domain(zone, userId);
  await client.mutate(
    "createRecord",
    { zone: "bad.example", owner: "a", type: "CNAME", rdata: "gone" },
    "record { id }",
  );
});

test("findings are shown with their zone, and the exit code is that of the worst", async () => {
  await cli.shows(`
    $ check good.example
    Nothing was found.
    $ check bad.example
    ERROR bad.example a CNAME: a CNAME gone.bad.example. points at gone.bad.example., which does not exist; add records there, or remove this one. (TARGET_MISSING, RFC 1912 §2.4)
    [1]
    $ check --code PTR_MISSING --severity NOTE
    Nothing was found.
  `);
  const [line] = (await cli.run("check --json"))[1].split("\n");
  expect(JSON.parse(line as string)).toMatchObject({ zone: "bad.example", code: "TARGET_MISSING", severity: "ERROR" });
});

test("the name servers of a zone are asked, and what they said stays with the findings; the leader asks those of all", async () => {
  expect((await cli.run("check --servers"))[2]).toContain("Name the zones whose servers are to be asked.");
  expect((await cli.run("check --servers good.example"))[2]).toContain("have the operator set RESOLVER.");
  await once(resolver.listen(0, "127.0.0.1"), "listening");
  const { port } = resolver.address() as AddressInfo;
  const other = await services.start({ RESOLVER: `127.0.0.1:${port}` });
  Object.assign(client, { url: other.url });
  const [code, output, failure] = await cli.run("check --servers good.example");
  expect([failure, code, output]).toEqual([
    "",
    1,
    expect.stringMatching(/^ERROR good.example @ NS: ns1\.\S+ has no address; .* \(LAME_SERVER, /),
  ]);
  expect((await cli.run("check good.example"))[1]).toBe(output);
  await leader.end("SIGKILL");
  await eventually(async () => expect((await cli.run("check bad.example"))[1]).toContain("LAME_SERVER"));
});
