/** Subscriptions by graphql-sse, by urql, and by a plain reader of events that continues. */
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { createClient } from "graphql-sse";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { adminKey, type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);
let otherUser: string;
beforeAll(async () => {
  otherUser = await service.user("other@example.com");
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const document = `subscription ($zone: String, $after: String) {
  domainChanged(zone: $zone, after: $after) {
    cursor domain { __typename id zone serial } change { id kind zone serial } publication { state serial }
  }
}`;

/** Events as they come, and the first that satisfies a condition. */
class Inbox {
  readonly events: Json[] = [];
  #arrived: () => void = () => {};

  readonly take = (event: Json) => {
    this.events.push(event);
    this.#arrived();
  };

  async find(matches: (event: Json) => boolean): Promise<Json> {
    for (;;) {
      const event = this.events.find(matches);
      if (event) return event;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }
}

const ofSerial = (name: string, serial: number) => (event: Json) =>
  event.data?.domainChanged.change.zone === name && event.data.domainChanged.change.serial === serial;

/** Writes until an event comes: a stream may begin a moment after the client opened it. */
async function writeUntilSeen(inbox: Inbox, name: string): Promise<void> {
  for (let at = 0; inbox.events.length === 0; at += 1) {
    await service.record(name, `begin${at}`, "A", "192.0.2.1");
    await service.data("{ ttlPolicy { min } }");
  }
}

/** The greatest id of a change. */
const lastChange = async (): Promise<string> =>
  (await service.sql<{ id: string }>("select max(id)::text as id from change"))[0]?.id ?? "";

const write = async (name: string, owner: string): Promise<number> => {
  await service.record(name, owner, "A", "192.0.2.1");
  return service.serial(name);
};

describe("graphql-sse", () => {
  const open = (key = adminKey) => {
    const client = createClient({ url: `${service.url}/graphql`, headers: { "X-API-Key": key }, retryAttempts: 0 });
    closing.push(() => client.dispose());
    return client;
  };
  const subscribe = (variables: Record<string, unknown> = {}, key?: string): Inbox => {
    const inbox = new Inbox();
    const sink = { next: inbox.take, error: inbox.take, complete: () => inbox.take("complete") };
    closing.push(open(key).subscribe({ query: document, variables }, sink));
    return inbox;
  };

  test("gets the changes of all zones that its key sees, with the domain's id and serial", async () => {
    const foreign = `other.${zone.name}`;
    await service.domain(foreign, otherUser);
    const ofZone = `{ domain(by: { zone: "${zone.name}" }) { id user { id } } }`;
    const { id, user } = (await service.data(ofZone)).domain;
    const inbox = subscribe({}, await service.key({ name: "all", userId: user.id }));
    await writeUntilSeen(inbox, zone.name);
    await write(foreign, "unseen");
    const serial = await write(zone.name, "seen");
    const { domainChanged } = (await inbox.find(ofSerial(zone.name, serial))).data;
    expect(domainChanged).toEqual({
      cursor: expect.stringMatching(/^\d{16}$/),
      domain: { __typename: "Domain", id, zone: zone.name, serial },
      change: { id: expect.stringMatching(/^\d{16}$/), kind: "EDIT", zone: zone.name, serial },
      publication: { state: "UNSERVED", serial },
    });
    expect(new Set(inbox.events.map((event) => event.data.domainChanged.change.zone))).toEqual(new Set([zone.name]));
  });

  test("gets the creation and the deletion of a zone, whose domain is then null", async () => {
    const inbox = subscribe();
    await writeUntilSeen(inbox, zone.name);
    const name = `new.${zone.name}`;
    await service.domain(name, otherUser);
    const created = await inbox.find((event) => event.data?.domainChanged.change.zone === name);
    expect(created.data.domainChanged).toMatchObject({ domain: { zone: name }, change: { kind: "CREATE" } });
    await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
    const isDeletion = (event: Json) => event.data?.domainChanged.change.kind === "DELETE";
    expect((await inbox.find(isDeletion)).data.domainChanged).toMatchObject({ domain: null, change: { zone: name } });
  });

  test("gets refusals as errors of its events, and runs queries and mutations too", async () => {
    const refused = subscribe({ zone: "none.example.com" });
    await refused.find((event) => event === "complete");
    expect(refused.events[0].errors).toMatchObject([{ extensions: { code: "NOT_FOUND", field: "zone" } }]);
    const results: Json[] = [];
    for await (const result of open().iterate({ query: `{ domain(by: { zone: "${zone.name}" }) { zone } }` }))
      results.push(result);
    expect(results).toEqual([{ data: { domain: { zone: zone.name } } }]);
  });
});

test("urql keeps its cache by a subscription to all zones", async () => {
  const client = new Client({
    url: `${service.url}/graphql`,
    exchanges: [cacheExchange({}), fetchExchange],
    fetchSubscriptions: true,
    preferGetMethod: false,
    fetchOptions: { headers: { "X-API-Key": adminKey } },
  });
  const query = `{ domain(by: { zone: "${zone.name}" }) { id serial } }`;
  await client.query(query, {}).toPromise();
  const inbox = new Inbox();
  closing.push(client.subscription(document, {}).subscribe(inbox.take).unsubscribe);
  await writeUntilSeen(inbox, zone.name);
  const serial = await write(zone.name, "cached");
  await inbox.find(ofSerial(zone.name, serial));
  const unread = await client.query(query, {}, { requestPolicy: "cache-only" }).toPromise();
  expect(unread.data?.domain.serial).toBe(serial);
  expect(inbox.events.filter(({ error }) => error)).toEqual([]);
});

describe("a stream that was interrupted", () => {
  /** Reads the text of a stream until it has an event of this serial. */
  async function readUntil(serial: number, headers: Record<string, string>, variables = {}): Promise<string> {
    const hangUp = new AbortController();
    const all = { Accept: "text/event-stream", ...headers };
    const response = await service.post({ query: document, variables }, { headers: all, signal: hangUp.signal });
    let text = "";
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes(`"serial":${serial}`)) break;
    }
    hangUp.abort();
    return text;
  }

  test.each(["Last-Event-ID", "after"])(
    "continues by %s with what was changed meanwhile, of each zone the last",
    async (way) => {
      const first = `first.${zone.name}`;
      await service.domain(first, otherUser);
      const id = await lastChange();
      await write(zone.name, "missed1");
      const serial = await write(zone.name, "missed2");
      const text = await (way === "after" ? readUntil(serial, {}, { after: id }) : readUntil(serial, { [way]: id }));
      const events = [...text.matchAll(/^id: (\d+)\nevent: next\ndata: (.*)$/gm)];
      expect(events).toHaveLength(1);
      const [, cursor, event = ""] = events[0] ?? [];
      expect(JSON.parse(event).data.domainChanged).toMatchObject({ cursor, change: { zone: zone.name, serial } });
      expect(Number(cursor)).toBeGreaterThanOrEqual(Number(id));
    },
  );

  test("eventCursor is where a first stream begins, so that nothing is missing after what was read with it", async () => {
    await write(zone.name, "old");
    await service.sql("update change set created_at = created_at - interval '1 hour'");
    const id = await lastChange();
    const serial = await write(zone.name, "read");
    const { eventCursor } = await service.data(`{ eventCursor domain(by: { zone: "${zone.name}" }) { serial } }`);
    expect(eventCursor).toBe(id);
    const text = await readUntil(serial, {}, { after: eventCursor });
    expect(text.match(/^event: next$/gm)).toHaveLength(1);
  });

  test("continues with a change whose publication has not ended, by the id that the client has", async () => {
    const silent = { name: "silent", address: "127.0.0.9", port: 5399, allowUnsignedTransfer: true };
    const { secondary } = await service.mutate("createSecondary", silent, "secondary { id }");
    try {
      const id = await lastChange();
      const serial = await write(zone.name, "pending");
      const last = (text: string) => [...text.matchAll(/^id: (\d+)\nevent: next/gm)].at(-1)?.[1] ?? "";
      const seen = await readUntil(serial, { "Last-Event-ID": id });
      expect(seen).toContain('"state":"PENDING"');
      const again = await readUntil(serial, { "Last-Event-ID": last(seen) });
      expect(again).toContain(`"serial":${serial}`);
    } finally {
      await service.mutate("deleteSecondary", { by: { id: secondary.id } }, "deletedId");
    }
  });
});
