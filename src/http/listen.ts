/**
 * Starts and stops listening for HTTP.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";

/** Listens on LISTEN and HTTP_PORT and returns the URL; throws a sentence that says what to do when it cannot. */
export async function listen(server: Server, { HTTP_PORT: port, LISTEN: host }: Config): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(listenFailure((error as NodeJS.ErrnoException).code, port, host));
  }
  const address = server.address() as AddressInfo;
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

function listenFailure(code: string | undefined, port: number, host: string): string {
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use; stop what listens there, or set HTTP_PORT to a free port.`;
  if (code === "EACCES")
    return `Port ${port} on ${host} is not allowed for this user; set HTTP_PORT to a port above 1023.`;
  return `HTTP cannot listen on ${host} port ${port} (${code}); set LISTEN to an address of this machine.`;
}

/** How long requests in progress may take when the service stops, ms. */
const closeTimeoutMs = 3000;

/** Stops listening and waits for requests in progress; closes their connections when the time is up. */
export async function closeHttp(server: Server): Promise<void> {
  if (!server.listening) return;
  const timeout = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
  clearTimeout(timeout);
}
