/**
 * Nothing is sent to addresses that are not of the public internet, unless the operator allows them: neither when a webhook is written, nor
 * when its name turns out to lead there.
 */
import { describe, expect, test } from "@jest/globals";
import { AllowedAddresses } from "../../../src/webhook/address.ts";
import { send } from "../../../src/webhook/send.ts";
import { mutation, testService } from "../../setup/service/service.ts";
import { testReceiver, WebhookReceiver } from "../../setup/service/webhook-receiver.ts";

const nobody = new AllowedAddresses([]);

describe("addresses", () => {
  test("that are not public are refused", () => {
    const refused = [
      "127.0.0.1 127.255.0.9 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1",
      "198.18.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1 ::ffff:7f00:1",
      "::ffff:8.8.8.8 64:ff9b::7f00:1 2002:7f00:1::1 2001:db8::1 2001::1 ::127.0.0.1 fec0::1",
    ].flatMap((line) => line.split(" "));
    expect(refused.filter((address) => nobody.has(address))).toEqual([]);
  });

  test("that are public are allowed", () => {
    const allowed = ["8.8.8.8", "172.32.0.1", "192.167.1.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"];
    expect(allowed.filter((address) => nobody.has(address))).toEqual(allowed);
  });

  test("the operator allows some, and no others", () => {
    const some = new AllowedAddresses(["10.1.0.0/16", "fd12::/32", "192.168.1.7"]);
    expect(["10.1.2.3", "fd12::1", "192.168.1.7"].map((address) => some.has(address))).toEqual([true, true, true]);
    expect(["10.2.2.3", "fd13::1", "192.168.1.8"].map((address) => some.has(address))).toEqual([false, false, false]);
  });
});

describe("connections", () => {
  const receiver = testReceiver();
  const own = new AllowedAddresses(["127.0.0.1"]);
  const message = { id: "msg_1", timestamp: 1, payload: "{}" };
  const attempt = (url: string, addresses: AllowedAddresses) =>
    send(url, message, {
      secrets: [Buffer.from("secret")],
      addresses,
      seconds: 15,
      stopped: new AbortController().signal,
    });

  test.each([
    ...["https://localhost", "http://localhost", "https://127.0.0.1", "http://127.0.0.1"],
    ...["https://[::1]", "https://0x7f.1"],
  ])("%s is not connected to", async (origin) => {
    const { status, error } = await attempt(`${origin}:${receiver.port}/`, nobody);
    expect(status).toBeNull();
    expect(error).toContain("no address");
    expect(receiver.received).toEqual([]);
  });

  test.each(["http", "https"])(
    "by %s, the error of a name that leads inside is that of one that is not there",
    async (scheme) => {
      const [inside, nowhere] = [
        await attempt(`${scheme}://localhost/`, nobody),
        await attempt(`${scheme}://nowhere.invalid/`, nobody),
      ];
      expect(inside.error).toBe(nowhere.error);
      expect(inside.cause).toContain(" is no address of the public internet");
      expect(inside.error).not.toMatch(/127\.0\.0\.1|::1/);
    },
  );

  test("http is spoken with addresses alone that the operator allows, whatever name leads there", async () => {
    expect(await attempt(`http://localhost:${receiver.port}/`, own)).toEqual({ status: 204, error: null });
    expect((await attempt("http://8.8.8.8/", own)).error).toContain("8.8.8.8 is no address");
  });

  test("what cannot be reached is said in a sentence", async () => {
    const away = await WebhookReceiver.start();
    const url = away.url("/");
    await away.stop();
    const error = "Nothing listens there: the connection was refused.";
    expect(await attempt(url, own)).toEqual({ status: null, error, cause: expect.stringContaining("ECONNREFUSED") });
    const plain = await attempt(`https://127.0.0.1:${receiver.port}/`, own);
    expect(plain.error).toBe("The server there does not speak a TLS that is supported here.");
  });
});

describe("a webhook", () => {
  const service = testService();
  const create = mutation("createWebhook", "webhook { url }");
  const url = "write a URL such as https://example.com/hooks/zonesmith.";
  const ours = "is no address of the public internet; the operator allows others by WEBHOOK_PRIVATE_ADDRESSES.";
  test.each([
    ["ftp://example.com/", url],
    ["example.com", url],
    [
      "http://example.com/",
      "write https; http is for addresses that the operator allows by WEBHOOK_PRIVATE_ADDRESSES.",
    ],
    ["https://127.0.0.1/", `127.0.0.1 ${ours}`],
    ["https://0x7f.1/", `127.0.0.1 ${ours}`],
    ["https://[::ffff:10.0.0.1]/", `::ffff:a00:1 ${ours}`],
    ["https://localhost:8443/", `localhost ${ours}`],
    [
      "https://me:secret@example.com/",
      "leave out user and password; messages are signed, so that the receiver knows who sent them.",
    ],
  ])("at %s is refused with a sentence that names the field", async (url, words) => {
    const { body } = await service.graphql(create, { input: { name: "hook", url, events: ["KEY_CREATED"] } });
    const extensions = { code: "INVALID_VALUE", field: "url" };
    expect(body.errors).toMatchObject([{ message: `url: ${words}`, extensions }]);
  });

  test("without events, or with too many zones, is refused", async () => {
    const input = { name: "hook", url: "https://example.com/", events: [] as string[] };
    const [none] = (await service.graphql(create, { input })).body.errors;
    expect(none).toMatchObject({ message: "events: write one event at least.", extensions: { field: "events" } });
    const zones = Array.from({ length: 101 }, (_, n) => `zone${n}.example.com`);
    const [many] = (await service.graphql(create, { input: { ...input, events: ["KEY_CREATED"], zones } })).body.errors;
    expect(many.message).toBe("zones: there are 101; write 1 to 100, or none for all.");
  });
});
