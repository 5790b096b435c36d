/**
 * The credential of a request: the key in X-API-Key, or else the cookie of a sign-in. A browser also sends the cookie
 * with requests that another page makes. Therefore a request with a cookie must prove that the console made it: by a
 * header that neither a form nor another origin can send without a preflight, and by the headers of the browser about
 * its origin.
 */
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { Refusal } from "../errors.ts";

export interface Credential {
  readonly kind: "key" | "signIn";
  readonly secret: string;
}

/** The longest part of a key or token that is looked at, characters. */
const maxLength = 300;

/** The header that the console sends with every request but downloads. */
const consoleHeader = "x-zonesmith-console";

/** The credential of a request; undefined without one, FORBIDDEN for a cookie that another page may have made the browser send. */
export function credentialOf(request: IncomingMessage, trustedProxies: number): Credential | undefined {
  const key = headerOf(request, "x-api-key");
  if (key) return { kind: "key", secret: key.slice(0, maxLength) };
  const token = cookieOf(request, cookieName(request, trustedProxies));
  if (token === undefined) return undefined;
  expectOwnPage(request, trustedProxies, request.method === "GET" || request.method === "HEAD");
  return { kind: "signIn", secret: token.slice(0, maxLength) };
}

/** Refuses a request that a page of another origin may have made. Reading shows its result to the person alone. */
export function expectOwnPage(request: IncomingMessage, trustedProxies: number, isReading = false): void {
  const refuse = (why: string) => {
    throw new Refusal("FORBIDDEN", `A request of the console ${why}; other programs send X-API-Key.`);
  };
  if (!isReading && headerOf(request, consoleHeader) !== "1") refuse("carries X-Zonesmith-Console: 1");
  const site = headerOf(request, "sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") refuse(`is not made by another site (${site})`);
  const origin = headerOf(request, "origin");
  if (origin !== undefined && !isOwn(origin, request, trustedProxies)) refuse("is made by a page of this service");
}

/** Whether an origin is that of this service, as the browser reached it. The scheme is known only if it was TLS. */
function isOwn(origin: string, request: IncomingMessage, trustedProxies: number): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  if (isSecure(request, trustedProxies) && protocol !== "https:") return false;
  const target = `${protocol}//${forwarded(request, "x-forwarded-host", trustedProxies) ?? request.headers.host}`;
  return URL.canParse(target) && new URL(target).host === host;
}

/** Whether the browser uses TLS, which ends at the proxy or here. */
export function isSecure(request: IncomingMessage, trustedProxies: number): boolean {
  const protocol = forwarded(request, "x-forwarded-proto", trustedProxies);
  return protocol === undefined ? request.socket instanceof TLSSocket : protocol === "https";
}

/** A header of the proxy about the original request; undefined when no proxy is trusted. */
function forwarded(request: IncomingMessage, name: string, trustedProxies: number): string | undefined {
  return trustedProxies === 0 ? undefined : headerOf(request, name)?.split(",")[0]?.trim().toLowerCase();
}

/** The name of the cookie. Cookies have no port, so without TLS two services on one host need two names. */
export const cookieName = (request: IncomingMessage, trustedProxies: number) =>
  isSecure(request, trustedProxies) ? "__Host-zonesmith" : `zonesmith-${request.socket.localPort}`;

/** The value of a cookie of this name (RFC 6265 §5.4). */
function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const pair of headerOf(request, "cookie")?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
