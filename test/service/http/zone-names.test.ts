/**
 * Names that nobody may take, through both interfaces and both ways to create a zone: the same code, status and field.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { codes } from "../../../src/error-codes.ts";
import { type Answer, adminKey, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
let userId: string;
let userKey: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  userKey = await service.key({ name: "owner", userId });
});

/** Every way to create a zone, and its refusal: code, field and status. */
const ways: Readonly<Record<string, (zone: string, key: string) => Promise<unknown>>> = {
  "GraphQL createDomain": async (zone, key) =>
    ofGraphql(await service.graphql(mutation("createDomain", "domain { zone }"), { input: { zone, userId } }, key)),
  "GraphQL importZone": async (zone, key) =>
    ofGraphql(
      await service.graphql(
        mutation("importZone", "addedCount"),
        { input: { zone, text: "www 300 A 192.0.2.1\n", mode: "MERGE", userId } },
        key,
      ),
    ),
  "REST POST /domain/add": async (zone, key) =>
    ofRest(await service.rest("POST", "/domain/add", { key, form: { user_id: userId, zone } })),
  "REST POST /domain/zonefile": async (zone, key) =>
    ofRest(
      await service.rest("POST", `/domain/zonefile/${encodeURIComponent(zone)}?user_id=${userId}`, {
        key,
        headers: { "Content-Type": "text/dns" },
        body: "www 300 A 192.0.2.1\n",
      }),
    ),
};

const ofGraphql = ({ body }: Answer) => {
  const { message, extensions } = body.errors?.[0] ?? { extensions: {} };
  const { code, field } = extensions;
  return { code, status: codes[code as keyof typeof codes]?.status, field, message };
};
const ofRest = ({ status, body }: Answer) => ({ code: body.error, status, field: body.field, message: body.message });

test.each(Object.keys(ways))(
  "%s: an address and the catalog are refused to everybody, a top to a user",
  async (way) => {
    const create = ways[way] as (typeof ways)[string];
    const refused = (code: keyof typeof codes, zone: string) => ({
      code,
      status: codes[code].status,
      field: "zone",
      message: expect.stringMatching(new RegExp(`^zone: "?${zone.replaceAll(".", "\\.")}.*; write .*\\.$`)),
    });
    for (const key of [adminKey, userKey]) {
      expect(await create("1.2.3.4", key)).toEqual(refused("INVALID_NAME", "1.2.3.4"));
      expect(await create("a@b.example", key)).toEqual(refused("INVALID_NAME", "a@b.example"));
      expect(await create("catalog.zonesmith", key)).toEqual(refused("ZONE_CONFLICT", "catalog.zonesmith"));
      expect(await create("sub.catalog.zonesmith", key)).toEqual(refused("ZONE_CONFLICT", "sub.catalog.zonesmith"));
    }
    for (const zone of ["co.uk", "github.io", "in-addr.arpa", "192.in-addr.arpa"])
      expect(await create(zone, userKey)).toEqual(refused("FORBIDDEN", zone));
    const count = "select count(*)::int as count from domain where user_id is not null";
    expect(await service.sql(count)).toEqual([{ count: 0 }]);
  },
);
