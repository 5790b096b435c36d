import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { QueryPeer } from "../../../src/publisher/packets/signed-query.ts";
import { type ProbeResult, probeSoa } from "../../../src/publisher/packets/soa-probe.ts";
import { UdpSockets } from "../../../src/publisher/packets/udp-client.ts";
import { Responder } from "../../setup/dns/responder.ts";

const zone = "long.example.com";
const key = { algorithm: "hmac-sha256", secret: Buffer.from("a secret that both of them know") } as const;
const sockets = new UdpSockets(undefined);
let responder: Responder;
beforeEach(async () => {
  responder = await new Responder().open();
  responder.serials.set(zone, 7);
});
afterEach(() => responder.close());
afterAll(() => sockets.close());

function probe(): Promise<ProbeResult> {
  const { address, port } = responder;
  const key = (responder.key && { ...responder.key.key, name: responder.key.name }) as QueryPeer["key"];
  return probeSoa(sockets, { address, port, key, keyError: undefined }, { zone, overTcp: false }, 5000);
}

describe.each(["empty", "whole"] as const)("an answer that is truncated, its sections %s,", (truncates) => {
  beforeEach(() => {
    responder.truncates = truncates;
    responder.signed.add(zone);
  });

  test.each([false, true])("is asked for again over TCP (signed: %s)", async (isSigned) => {
    if (isSigned) responder.key = { name: "probe.key.example", key };
    expect(await probe()).toMatchObject({ kind: "serial", serial: 7, isSigned: true });
    expect(responder.queries.map(({ port }) => typeof port)).toEqual(["number", "undefined"]);
  });

  test("says nothing where TCP gives no answer", async () => {
    responder.closesTcp = true;
    expect(await probe()).toEqual({
      kind: "failed",
      message: "its answer is truncated, and over TCP: it closed the connection",
    });
  });
});

test("an answer that is not truncated needs no TCP", async () => {
  responder.closesTcp = true;
  expect(await probe()).toMatchObject({ kind: "serial", serial: 7, isSigned: false });
});
