/**
 * Where HTTP listens, and how it stops.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";

/** Listens where the configuration says; answers the URL, or throws one line that names the cure. */
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
    return `Port ${port} on ${host} is taken; stop what listens there, or set HTTP_PORT to another one.`;
  if (code === "EACCES") return `Port ${port} on ${host} is not open to this user; set HTTP_PORT to one above 1023.`;
  return `HTTP cannot listen on ${host} port ${port} (${code}); set LISTEN to an address of this machine.`;
}

/** Lets requests under way finish for three seconds, then cuts them off. */
export async function closeHttp(server: Server): Promise<void> {
  if (!server.listening) return;
  const cut = setTimeout(() => server.closeAllConnections(), 3000);
  server.close();
  server.closeIdleConnections();
  await once(server, "close");
  clearTimeout(cut);
}
