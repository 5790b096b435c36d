/** Answers that are sent again, and what ends that: whatever is committed, by the instance that is asked and by another. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Section } from "../../../src/dns/message/header.ts";
import type { Message } from "../../../src/dns/message/message-reader.ts";
import { parseName } from "../../../src/dns/name.ts";
import { ask, queryOf, TcpClient } from "../../setup/dns/dns-client.ts";
import { dataOf, load, signed, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const extra = { name: parseName("example.com."), type: 1, class: 1, ttl: 0, rdata: Uint8Array.of(1, 2, 3, 4) };

const service = testService();
/** Another process on the same database. */
const front = testFront(service);
let user = "";

beforeAll(async () => {
  user = await service.user("owner@example.com");
  await service.domain("example.com", user);
  await service.record("example.com", "a", "A", "192.0.2.1");
});

const asked = async (port: number, name: string, type = "A") => dataOf(await ask(port, queryOf(`${name}.`, type)));

/** Asks until the answer is kept. */
async function settled(port: number, name: string): Promise<string> {
  await asked(port, name);
  await asked(port, name);
  return asked(port, name);
}

/** Changes the address of a name behind the journal's back, which no kept answer shows. */
const spoil = (owner: string, octet: number) =>
  service.sql(
    `update zone_record r set wire = '\\xc00002${octet.toString(16).padStart(2, "0")}' from domain d
     where d.id = r.domain_id and d.zone = 'example.com' and r.owner = $1 and r.type = 'A'`,
    [owner],
  );

describe("the name server", () => {
  test.each(["udp", "tcp"])("sends the same answer again over %s as long as the zone is the same", async (protocol) => {
    const owner = `same-${protocol}`;
    await service.record("example.com", owner, "A", "192.0.2.1");
    const query = queryOf(`${owner}.example.com.`, "A");
    const client = await TcpClient.open(front.port);
    const exchange = async () => {
      if (protocol === "udp") return dataOf(await ask(front.port, query));
      client.send(query);
      const [message] = await client.take(1);
      return message && dataOf(message);
    };
    for (const _time of [1, 2, 3]) await exchange();
    await spoil(owner, 99);
    expect(await exchange()).toBe("192.0.2.1");
    await service.record("example.com", `${owner}-2`, "A", "192.0.2.2");
    expect(await exchange()).toBe("192.0.2.99");
    client.socket.destroy();
  });

  test.each<[string, string, (writer: Parameters<NonNullable<Parameters<typeof queryOf>[2]>>[0]) => void]>([
    ["an SOA", "SOA", () => {}],
    ["a DS", "DS", () => {}],
    ["an A with a record beside the question", "A", (writer) => writer.add(Section.ANSWER, extra)],
  ])("keeps no answer to %s", async (_what, type, edit) => {
    const query = queryOf("example.com.", type, edit);
    const before = await Promise.all([ask(front.port, query), ask(front.port, query)]);
    await service.sql("update zone_record set ttl = least(ttl, 3000) - 1 where type = 'SOA'");
    const after = await ask(front.port, query);
    const ttls = ({ answers, authority }: Message) => [...answers, ...authority].map(({ ttl }) => ttl);
    expect(ttls(after)).not.toEqual(ttls(before[1] as Message));
  });

  test("keeps no answer to a signed question", async () => {
    await service.record("example.com", "signed", "A", "192.0.2.1");
    const question = queryOf("signed.example.com.", "A");
    for (const _time of [1, 2]) await ask(front.port, signed(question));
    await spoil("signed", 98);
    expect(dataOf(await ask(front.port, signed(question)))).toBe("192.0.2.98");
  });

  test.each<[string, (owner: string) => Promise<unknown>]>([
    ["an edit", (owner) => service.record("example.com", owner, "A", "192.0.2.7")],
    ["an import", (owner) => load(service, "example.com", [`${owner} 300 A 192.0.2.7`])],
  ])("answers with %s at once: of this instance, and of another", async (what, write) => {
    for (let at = 0; at < 5; at += 1) {
      const owner = `${what.replace(" ", "-")}-${at}`;
      const name = `${owner}.example.com`;
      expect([await settled(service.dnsPort, name), await settled(front.port, name)]).toEqual(["rcode 3", "rcode 3"]);
      await write(owner);
      expect([await asked(service.dnsPort, name), await asked(front.port, name)]).toEqual(["192.0.2.7", "192.0.2.7"]);
    }
  });

  test("answers from a zone that is created, deleted and created again", async () => {
    const name = "web.sub.example.com";
    for (const port of [service.dnsPort, front.port]) {
      expect(await settled(port, name)).toBe("rcode 3");
      expect(await settled(port, "web.other.example")).toBe("rcode 5");
    }
    for (let round = 0; round < 2; round += 1) {
      for (const zone of ["sub.example.com", "other.example"]) {
        await service.domain(zone, user);
        await service.record(zone, "web", "A", "192.0.2.8");
        for (const port of [service.dnsPort, front.port]) expect(await settled(port, `web.${zone}`)).toBe("192.0.2.8");
        await service.rest("DELETE", "/domain/delete/", { form: { zone } });
      }
      for (const port of [service.dnsPort, front.port]) {
        expect(await asked(port, name)).toBe("rcode 3");
        expect(await asked(port, "web.other.example")).toBe("rcode 5");
      }
    }
  });

  test("answers from a zone that went to another user, and with the user's deletion is gone", async () => {
    const other = await service.user("other@example.com");
    await service.domain("moved.example", user);
    await service.record("moved.example", "a", "A", "192.0.2.9");
    for (const port of [service.dnsPort, front.port]) expect(await settled(port, "a.moved.example")).toBe("192.0.2.9");
    await service.mutate("transferDomain", { by: { zone: "moved.example" }, userId: other }, "__typename");
    for (const port of [service.dnsPort, front.port]) expect(await asked(port, "a.moved.example")).toBe("192.0.2.9");
    await service.mutate("deleteUser", { by: { id: other }, onDomains: "DELETE" }, "__typename");
    for (const port of [service.dnsPort, front.port]) expect(await asked(port, "a.moved.example")).toBe("rcode 5");
  });

  test("keeps no answer from before a restored backup", async () => {
    expect(await settled(front.port, "a.example.com")).toBe("192.0.2.1");
    await spoil("a", 77);
    expect(await asked(front.port, "a.example.com")).toBe("192.0.2.1");
    await service.sql(
      "update change set created_at = created_at - interval '1 hour' where id = (select max(id) from change)",
    );
    expect(await asked(front.port, "a.example.com")).toBe("192.0.2.77");
  });

  test("keeps no answer when the journal cannot be read", async () => {
    const before = await settled(front.port, "a.example.com");
    await spoil("a", 78);
    expect(await asked(front.port, "a.example.com")).toBe(before);
    await service.sql("alter table change rename to change_elsewhere");
    try {
      expect(await asked(front.port, "a.example.com")).toBe("192.0.2.78");
    } finally {
      await service.sql("alter table change_elsewhere rename to change");
    }
  });
});
