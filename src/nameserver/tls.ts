/**
 * DNS over TLS (RFC 7858) for zone transfers (RFC 9103): only TLS 1.3, with certificates of clients where authorities for them are set. A
 * connection is passed on before its handshake, so that it has a place and time limits. Limitations: no 0-RTT; revocation lists are not
 * checked.
 */
import { constants } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Certificate } from "../net/certificate.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";

/** In ALPN (RFC 7858). A transfer without it is refused (RFC 9103 §7.1). */
export const dotProtocol = "dot";

export interface TlsOptions {
  readonly certificate: Certificate;
  readonly needsClientCertificate: boolean;
}

/** Called before the handshake. `secured` resolves after it, and rejects when the client leaves before. */
type Accept = (socket: Socket, secured: Promise<TLSSocket>) => void;

const version = { minVersion: "TLSv1.3" } as const;

const destroy = (stream: TLSSocket) => void stream.destroy();

export function createTlsServer(
  { certificate, needsClientCertificate }: TlsOptions,
  options: { readonly allowHalfOpen: boolean; readonly noDelay: boolean; readonly highWaterMark: number },
  refusals: RateLimitedLog,
  accept: Accept,
): Server {
  const handshakes = new Map<string, (stream: TLSSocket) => void>();
  const server = createServer({
    ...options,
    ALPNProtocols: [dotProtocol],
    requestCert: needsClientCertificate,
    // Refused below, where the log shows the client and the reason.
    rejectUnauthorized: false,
    ...version,
  });
  // A resumed session counts as authorized.
  certificate.serve(
    server,
    needsClientCertificate ? { ...version, secureOptions: constants.SSL_OP_NO_TICKET } : version,
  );
  const refuse = (stream: TLSSocket, address: string | undefined, reason: string) => {
    refusals.warn({ address, reason }, "a TLS handshake failed");
    stream.destroy();
  };
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    const secured = new Promise<TLSSocket>((resolve, reject) => {
      handshakes.set(peer, resolve);
      socket.once("close", () => {
        handshakes.delete(peer);
        reject(new Error("the client has gone"));
      });
    });
    accept(socket, secured);
  });
  server.on("secureConnection", (stream) => {
    stream.on("error", () => stream.destroy());
    const { authorized, authorizationError, remoteAddress } = stream;
    if (needsClientCertificate && !authorized)
      refuse(stream, remoteAddress, `the client's certificate: ${authorizationError}`);
    else (handshakes.get(peerOf(stream)) ?? destroy)(stream);
  });
  server.on("tlsClientError", (error: NodeJS.ErrnoException, stream) => {
    if (error.code === "ECONNRESET") stream.destroy();
    else refuse(stream, stream.remoteAddress, error.code ?? error.message);
  });
  return server;
}

const peerOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
