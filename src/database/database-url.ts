/**
 * DATABASE_URL: names one PostgreSQL, or several servers, one of them the primary, in the form that libpq reads:
 * postgresql://user:password@db1:5432,db2:5432/database?target_session_attrs=read-write
 *
 * Its parameters are libpq's: sslmode, sslrootcert, sslcert, sslkey, options, application_name. All connections follow them.
 */
import type tls from "node:tls";
import type pg from "pg";
import { type ConnectionOptions, parse } from "pg-connection-string";

const maxServers = 16;

/** The part before the servers, the servers, and the rest; a password may contain an unencoded @. */
const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/** A server: a name, an address (IPv6 in brackets) or the percent-encoded folder of a socket, with a port. */
const server = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_.%-]+)(?::(\d{1,5}))?$/i;

/** The values of sslmode; no-verify is node-postgres's name for libpq's `require` without a root certificate. */
const sslModes = ["disable", "require", "verify-ca", "verify-full", "no-verify"];

type ServerConfig = Pick<
  pg.ClientConfig,
  "host" | "port" | "user" | "password" | "database" | "ssl" | "application_name" | "options"
>;

/** Returns the URL of each server of `url`; throws what to write when it is invalid. */
export function serverUrls(url: string): readonly string[] {
  const [, before = "", servers = "", rest = ""] = form.exec(url) ?? [];
  if (before === "") throw new Error("write postgresql://user:password@host/database");
  checkParameters(new URLSearchParams(rest.replace(/^[^?]*\??/, "")));
  const names = servers.split(",");
  if (names.length > 1) for (const name of names) checkServer(name);
  if (names.length > maxServers || new Set(names).size < names.length)
    throw new Error(`write at most ${maxServers} servers, each of them once`);
  return names.map((name) => `${before}${name}${rest}`);
}

function checkServer(name: string): void {
  const [isServer, port = "5432"] = server.exec(name) ?? [];
  if (isServer === undefined || Number(port) < 1 || Number(port) > 65535)
    throw new Error(`"${name}" is not a server; write host or host:port, such as db1.example.com:5432`);
}

function checkParameters(parameters: URLSearchParams): void {
  const wanted = parameters.get("target_session_attrs") ?? "primary";
  if (wanted !== "read-write" && wanted !== "primary")
    throw new Error("write target_session_attrs=read-write or leave it out, since the service writes");
  if (parameters.get("host")?.includes(","))
    throw new Error("write several servers as postgresql://user:password@host1:5432,host2:5432/database");
  const sslMode = parameters.get("sslmode");
  if (sslMode !== null && !sslModes.includes(sslMode))
    throw new Error("write sslmode=disable, require, verify-ca or verify-full; other modes may connect without TLS");
  if (sslMode === "verify-ca" && !parameters.has("sslrootcert"))
    throw new Error("write sslrootcert=, the file of the certificate authority, beside sslmode=verify-ca");
}

/** Returns the options for the server at a URL of one server; throws what to write when it is invalid. */
export function serverConfig(url: string): ServerConfig {
  const { host, port, user, password, database, ssl, ...others } = read(url);
  if (!database) throw new Error("write the name of the database: postgresql://user:password@host/database");
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password && { password }),
    database,
    ...(ssl !== undefined && { ssl: tlsTo(ssl as boolean | tls.ConnectionOptions, host ?? undefined) }),
    ...(others.application_name && { application_name: others.application_name }),
    ...(others.options && { options: others.options }),
  };
}

/** Adds the host whose certificate is expected, which node-postgres passes to Node only for host names, not for addresses. */
function tlsTo(security: boolean | tls.ConnectionOptions, host: string | undefined): boolean | tls.ConnectionOptions {
  return typeof security === "object" && host !== undefined ? { ...security, host } : security;
}

function read(url: string): ConnectionOptions {
  try {
    decodeURIComponent(new URL(url).password); // which parse() takes as it is when it is not encoded
    return parse(url, { useLibpqCompat: !/[?&]uselibpqcompat=/.test(url) });
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (path !== undefined)
      throw new Error(`${path} cannot be read (${code}); write a file that the service may read, with its full path`);
    if (code !== "ERR_INVALID_URL" && !(error instanceof URIError)) throw new Error(message);
    throw new Error("write postgresql://user:password@host/database, special characters of the password as %40 for @");
  }
}
