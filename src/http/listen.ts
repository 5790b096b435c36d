/** Starts and stops listening for HTTP, or for HTTPS where there is a certificate. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config/config.ts";
import type { Certificate } from "../net/certificate.ts";
import { type ListenSettings, listen } from "../net/listen-failure.ts";
import { reachableAddress, urlHost } from "../net/listening-address.ts";

const settings: ListenSettings = { protocol: "HTTP", port: "HTTP_PORT", address: "LISTEN" };

/** How long requests in progress may take when the service stops, ms. */
const closeTimeoutMs = 3000;

export class HttpListener {
  readonly #server: Server;
  readonly #certificate: Certificate | undefined;
  /** All open connections, also those in a TLS handshake, which the server of Node does not close. */
  readonly #sockets = new Set<Socket>();

  constructor(server: Server, certificate?: Certificate) {
    this.#server = server;
    this.#certificate = certificate;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** Listens on LISTEN and HTTP_PORT and returns the URL for clients on this machine; throws a sentence that says what to do when it cannot. */
  async listen({ HTTP_PORT: port, LISTEN: host }: Config): Promise<string> {
    const { address, port: usedPort } = await listen(this.#server, port, host, settings);
    const reachable = reachableAddress(address);
    const shown = urlHost(reachable);
    if (!this.#certificate) return `http://${shown}:${usedPort}`;
    return `https://${this.#certificate.isFor(reachable) ? shown : this.#certificate.name || shown}:${usedPort}`;
  }

  /** Stops listening; requests in progress have `closeTimeoutMs`. An open connection takes one more request. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
    const timeout = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, closeTimeoutMs);
    server.close();
    server.closeIdleConnections();
    await once(server, "close");
    clearTimeout(timeout);
  }
}
