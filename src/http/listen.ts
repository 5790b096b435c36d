/**
 * Starts and stops listening for HTTP.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";
import { type ListenSettings, listenFailure } from "../listen-failure.ts";

const settings: ListenSettings = { protocol: "HTTP", port: "HTTP_PORT", address: "LISTEN" };

/** Listens on LISTEN and HTTP_PORT and returns the URL for clients on this machine; throws a sentence that says what to do when it cannot. */
export async function listen(server: Server, { HTTP_PORT: port, LISTEN: host }: Config): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(listenFailure((error as NodeJS.ErrnoException).code, port, host, settings));
  }
  const { family, address, port: usedPort } = server.address() as AddressInfo;
  const reachable = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return `http://${family === "IPv6" ? `[${reachable}]` : reachable}:${usedPort}`;
}

/** How long requests in progress may take when the service stops, ms. */
const closeTimeoutMs = 3000;

/**
 * Stops listening and waits for requests in progress; closes their connections when the time is up. A request that still
 * comes on an open connection is the last one there.
 */
export async function closeHttp(server: Server): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  const timeout = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
  clearTimeout(timeout);
}
