import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** The ports of this process of the tests, 4,000 of 12,000 to 32,000: another process of them has others. */
const firstPort = 12_000 + 4000 * (Number(process.env.JEST_WORKER_ID ?? 0) % 5);
const givenPorts = new Set<number>();

/**
 * A port of 127.0.0.1 that is free on UDP and TCP, below those that the system gives to sockets that ask for any: nothing else
 * takes it before it is used, or while what listens there is started again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, firstPort + 4000);
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    const server = createServer();
    const socket = createSocket("udp4");
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      socket.bind(port, "127.0.0.1");
      await once(socket, "listening");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    } finally {
      socket.close();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
