import { describe, expect, test } from "@jest/globals";
import { FrameReader, lengthPrefix } from "../../../../src/dns/message/framing.ts";
import fc from "../../../setup/basics/property.ts";

const framed = (messages: readonly Uint8Array[]) =>
  Buffer.concat(messages.flatMap((message) => [lengthPrefix(message), message]));

describe("messages on TCP", () => {
  test("come out as they went in, wherever the stream is cut", () => {
    const message = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 300 })), (messages, cuts) => {
        const stream = framed(messages);
        const reader = new FrameReader();
        const read: Uint8Array[] = [];
        let at = 0;
        for (const length of [...cuts, stream.length]) {
          read.push(...reader.push(stream.subarray(at, at + length)));
          at += length;
        }
        expect(read.map((each) => Buffer.from(each).toString("hex"))).toEqual(
          messages.map((each) => Buffer.from(each).toString("hex")),
        );
      }),
    );
  });

  test("of 0 and of 65535 octets are framed", () => {
    const messages = [new Uint8Array(0), new Uint8Array(65535).fill(7)];
    expect([...new FrameReader().push(framed(messages))]).toEqual(messages);
  });
});
