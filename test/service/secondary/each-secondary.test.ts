/**
 * Subscriptions that follow single secondaries: an event each time that what one of them serves has moved.
 */
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";
import { subscribe } from "../../setup/service/stream.ts";

const service = testService();
const sightings = new Sightings(service);
const zone = testZone(service);

beforeAll(() => sightings.catalog());
afterEach(async () => {
  await service.sql("delete from secondary");
});

const idOf = async (): Promise<string> =>
  (await service.data(`{ domain(by: { zone: "${zone.name}" }) { id } }`)).domain.id;

/** Adds a record; answers the serial. */
async function create(owner: string): Promise<number> {
  await service.record(zone.name, owner, "A", "192.0.2.1");
  return service.serial(zone.name);
}

test.each([
  ["of one zone", () => `zone: "${zone.name}", `],
  ["of all zones", () => ""],
])("says on request what each secondary serves as soon as one serves another serial: %s", async (_, argument) => {
  const one = await sightings.secondary("one");
  await sightings.see(one, await idOf());
  const other = await sightings.secondary("two");
  await sightings.see(other, await idOf());
  const fields =
    "change { zone serial } publication { state serial secondaries { secondary { name } serial lastError } }";
  const stream = await subscribe(
    service,
    `subscription { domainChanged(${argument()}eachSecondary: true) { ${fields} } }`,
  );
  if (!("next" in stream)) throw new Error(stream.text);
  // A stream of all zones has begun once it has shown a change.
  let serial = 0;
  const until = async (matches: (event: Json) => boolean): Promise<Json> => {
    for (;;) {
      const { domainChanged } = (await stream.next()).data;
      if (domainChanged.change.zone === zone.name && matches(domainChanged)) return domainChanged.publication;
    }
  };
  let hasBegun = false;
  const first = until(() => true).then(() => {
    hasBegun = true;
  });
  for (let at = 0; !hasBegun; at += 1) await create(`begin${at}`);
  await first;
  serial = await create("a");
  await until(({ publication }) => publication.serial === serial);
  await sightings.see(one, await idOf());
  const servedBy = ({ secondaries }: Json) =>
    secondaries.filter((each: Json) => each.serial === serial).map((each: Json) => each.secondary.name);
  const half = await until(({ publication }) => servedBy(publication).length > 0);
  expect([half.state, servedBy(half)]).toEqual(["PENDING", ["one"]]);
  await sightings.see(other, await idOf(), { serial: serial - 1, error: "timeout" });
  const failed = await until(({ publication }) => publication.secondaries[1].lastError !== null);
  expect(failed).toMatchObject({ state: "PENDING", secondaries: [{ lastError: null }, { lastError: "timeout" }] });
  await sightings.see(other, await idOf());
  expect(servedBy(await until(({ publication }) => publication.state === "LIVE"))).toEqual(["one", "two"]);
  stream.close();
});
