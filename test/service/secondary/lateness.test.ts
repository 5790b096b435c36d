/** That a zone is late at a secondary is said by the publication of the zone and by the metrics of the leader alike. */
import { afterAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { scrape } from "../../setup/basics/exposition.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

const key = "metrics-key-of-a-test-0123456789-0123456789";
const service = testService({ METRICS_PORT: "0", METRICS_KEY: key, PUBLICATION_LATE_SECONDS: "60" });
const sightings = new Sightings(service);
const secondary = new FollowingResponder(service);
afterAll(() => secondary.close());

const joined = (at: string) => service.sql(`update secondary set joined_at = ${at}`);

/** How many zones are behind at the secondary, and how many of them late, in GraphQL and in the metrics. */
async function said(): Promise<Json> {
  const { domains } = await service.data("{ domains { nodes { publication { secondaries { state } } } } }");
  const states = domains.nodes.flatMap(({ publication }: Json) =>
    publication.secondaries.map((each: Json) => each.state),
  );
  const metrics = await scrape(service.metricsUrl, key);
  const zones = (state: string) => metrics.get(`zonesmith_secondary_zones{secondary="one",state="${state}"}`);
  return {
    pending: [states.filter((state: string) => state === "PENDING").length, zones("pending")],
    late: [states.filter((state: string) => state === "LATE").length, zones("late")],
  };
}

test("what a leader finds unserved is late since it was committed, and since the secondary joined; a catalog that it does not follow never is", async () => {
  const userId = await service.user("late@example.com");
  for (const zone of ["old.example", "new.example"]) await service.domain(zone, userId);
  await sightings.age("old.example", 3600);
  secondary.onNotify = () => 9;
  await secondary.register("one");
  const expectSaid = (content: Json) => eventually(async () => expect(await said()).toEqual(content));
  await eventually(() => expect(secondary.queries.map(({ zone }) => zone)).toContain("catalog.zonesmith"));
  await expectSaid({ pending: [2, 2], late: [0, 0] });
  await joined("now() - interval '1 hour'");
  await expectSaid({ pending: [1, 1], late: [1, 1] });
  await joined("now()");
  await expectSaid({ pending: [2, 2], late: [0, 0] });
});
