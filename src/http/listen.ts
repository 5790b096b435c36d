/**
 * Where HTTP listens, and how it stops.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";
import { type ListenSettings, listenFailure } from "../listen-failure.ts";

const settings: ListenSettings = { protocol: "HTTP", port: "HTTP_PORT", address: "LISTEN" };

/** Listens where the configuration says; returns the URL, or throws one line that names the setting to change. */
export async function listen(server: Server, { HTTP_PORT: port, LISTEN: host }: Config): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(listenFailure((error as NodeJS.ErrnoException).code, port, host, settings));
  }
  const address = server.address() as AddressInfo;
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
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
