import { expect, test } from "@jest/globals";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { listTsigKeys, revokeTsigKey } from "../../../src/account/tsig-key.ts";
import { TextArrayType } from "../../../src/sql/text-array.ts";
import { query } from "../../setup/database/database.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();

const texts = ["", "null", "NULL", " spaces ", "a,b", "{a}", 'say "a"', "a\\b", "\\", "line\nbreak", "ärger 名前"];

test("PostgreSQL reads every text as it was", async () => {
  const literal = new TextArrayType().convertToDatabaseValue(texts);
  expect(await query(zones.url, "select $1::text[] as items", [literal])).toEqual([{ items: texts }]);
  expect(
    await query(zones.url, "select $1::text[] as items", [new TextArrayType().convertToDatabaseValue([])]),
  ).toEqual([{ items: [] }]);
  expect(new TextArrayType().convertToDatabaseValue(null)).toBeNull();
});

test("an entity's array is read back as it was, also after the entity was edited", async () => {
  const owners = ["null", 'a"b', "a\\b", "a,b", "{x}", "*"];
  const { tsigKey } = await createTsigKey(zones.session(), "array.example", "hmac-sha256", { owners });
  expect(tsigKey).toMatchObject({ zones: null, owners, types: null });
  expect(await revokeTsigKey(zones.session(), tsigKey.id)).toMatchObject({ owners });
  const { rows } = await listTsigKeys(zones.session(), { first: 10 });
  expect(rows.map((row) => row.owners)).toEqual([owners]);
});
