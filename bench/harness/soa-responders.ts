/** Two name servers on ports of their own that answer every query over UDP with an SOA of the serial that the zones of the bench have. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { soaOfEach } from "./many-zones.ts";

const rdata = Buffer.from(soaOfEach());
const name = Buffer.from([0xc0, 12]);
const fixed = Buffer.from([0, 6, 0, 1, 0, 0, 14, 16, rdata.length >> 8, rdata.length & 255]);

async function respond(): Promise<number> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    let at = 12;
    while (query[at]) at += (query[at] as number) + 1;
    const question = Buffer.from(query.subarray(0, at + 5));
    question.writeUInt16BE(0x8400, 2);
    question.writeUInt16BE(1, 6);
    question.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([question, name, fixed, rdata]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return socket.address().port;
}

process.send?.([await respond(), await respond()]);
process.on("disconnect", () => process.exit());
