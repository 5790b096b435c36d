/** Every SQLSTATE of sqlstate.ts, raised by a trigger; those that happen without one are in real-failures.test.ts. */
import { beforeAll, expect, test } from "@jest/globals";
import { databaseFailures, failureOfCode } from "../../../src/database/sqlstate.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testService } from "../../setup/service/service.ts";
import { expectAllUnavailable, writers } from "../../setup/service/three-writers.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);
const write = writers(service, zone);

beforeAll(async () => {
  await service.sql("create table failure (code text, times int)");
  await service.sql("insert into failure values (null, 0)");
  await service.sql("create sequence attempt");
  await service.sql(`create function fail() returns trigger language plpgsql as $$
    declare failure record;
    begin
      select * into failure from failure;
      if nextval('attempt') <= failure.times then
        raise exception 'raised by the test' using errcode = failure.code;
      end if;
      return new;
    end $$`);
  await service.sql("create trigger fail before insert on change for each row execute function fail()");
});

/** Lets the next changes, so many, fail with a SQLSTATE. */
async function failNext(times: number, code: string): Promise<void> {
  await service.sql("update failure set code = $1, times = $2", [code, times]);
  await service.sql("select setval('attempt', 1, false)");
}

const states = [...databaseFailures.flatMap(({ codes }) => codes), "53400", "08P01"]
  .filter((code) => /^[0-9][0-9A-Z]{4}$/.test(code) && failureOfCode(code))
  .toSorted();

test.each(states)("SQLSTATE %s is 503 with Retry-After, UNAVAILABLE, and SERVFAIL; nothing is stored", async (code) => {
  const { reason, retryAfter } = failureOfCode(code) ?? { reason: "", retryAfter: 0 };
  const before = await zone.read();
  await failNext(1_000_000, code);
  const answers = [await write.rest("a"), await write.graphql("a"), await write.update("a")] as const;
  expectAllUnavailable(answers, reason, retryAfter);
  await failNext(0, code);
  expect(await zone.read()).toEqual(before);
  await eventually(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200));
  const [{ status }, { body }] = [await write.rest("a"), await write.graphql("b")];
  expect([status, body.errors, await write.update("c")]).toEqual([201, undefined, "NOERROR"]);
});

test.each(["40001", "40P01"])("a change that ends once by %s is run again, and stored once", async (code) => {
  for (const [name, run] of Object.entries(write)) {
    await failNext(2, code);
    const answer = await run(name);
    expect(typeof answer === "string" ? answer : [answer.status, answer.body.errors]).toEqual(
      { rest: [201, undefined], graphql: [200, undefined], update: "NOERROR" }[name],
    );
    expect(await service.sql("select last_value as attempts from attempt")).toEqual([{ attempts: "3" }]);
  }
  const owners = (await zone.read()).records.filter((line) => / A /.test(line)).map((line) => line.split(" ")[0]);
  expect(owners).toEqual(["graphql", "rest", "update"]);
});
