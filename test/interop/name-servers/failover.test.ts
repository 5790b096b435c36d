/**
 * Name servers that follow one instance. A second one is started, at an address of its own, and they get other keys; what is printed then
 * is given to the servers, which have the catalog and a member already. The leader is killed, and the servers take what the other
 * publishes. Each of them takes NOTIFY from the addresses in its stanza alone.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import type { RunningService } from "../../setup/process/running-service.ts";
import { servicesOfDatabase } from "../../setup/process/service-process.ts";
import { Following } from "../../setup/servers/following.ts";
import { servers } from "../../setup/servers/name-servers.ts";
import { Client, type Json } from "../../setup/service/client.ts";

const test = testWith("kdig", ...servers.flatMap(({ programs }) => programs));
const zone = "failover.example";
const services = servicesOfDatabase();
/** Speaks to the instance that is there. */
const client = new Client();
const followers = servers.map((server) => new Following(client, server));
let leader: RunningService;
let survivor: RunningService;

const speakTo = ({ url, dnsPort }: RunningService) => Object.assign(client, { url, dnsPort });

beforeAll(async () => {
  leader = await services.startLeader({ DNS_LISTEN: "127.0.0.2" });
  await leader.domains(zone);
  speakTo(leader);
});
afterAll(() => Promise.all(followers.map((each) => each.remove())));

/** Expects that every server serves a record that is added, and that it took NOTIFY of it. */
async function addAndSee(owner: string): Promise<void> {
  const input = { zone, owner, type: "A", rdata: "192.0.2.1" };
  const waited = "publication(waitMs: 60000) { state secondaries { name state lastError } }";
  const { publication } = (await client.mutate("createRecord", input, `change { ${waited} }`)).change;
  expect(publication).toMatchObject({ state: "LIVE" });
  for (const each of followers) {
    expect((await each.ask(`${owner}.${zone}`, "A")).answers).toEqual(["192.0.2.1"]);
    await each.acknowledgesNotify(zone);
  }
}

test("stanzas are printed again, the leader dies, and every server takes NOTIFY and the next change from the other instance", async () => {
  for (const each of followers) await each.follow();
  await eventually(async () => {
    const { nodes } = (await client.data("{ secondaries { nodes { name joinedAt } } }")).secondaries;
    expect(nodes.filter(({ joinedAt }: Json) => joinedAt === null)).toEqual([]);
  });
  await addAndSee("before");
  survivor = await services.start({ DNS_LISTEN: "127.0.0.3" });
  await eventually(async () => expect(await services.sql("select from instance")).toHaveLength(2));
  for (const each of followers) await each.changeKey();
  await addAndSee("again");
  await leader.end("SIGKILL");
  await services.sql("update secondary set notify_answer = null");
  speakTo(survivor);
  await addAndSee("after");
});
