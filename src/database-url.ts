/**
 * DATABASE_URL: names one PostgreSQL, or several servers, one of them the primary, in the form that libpq reads:
 * postgresql://user:password@db1:5432,db2:5432/database?target_session_attrs=read-write
 */

const maxServers = 16;

/** What is before the servers, the servers, and the rest; a password may contain an unencoded @. */
const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/** A server: a name, an address (IPv6 in brackets) or the percent-encoded folder of a socket, and a port. */
const server = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_.%-]+)(?::(\d{1,5}))?$/i;

/** Returns the URL of each server that `url` names, for node-postgres; throws what to write when it is not valid. */
export function serverUrls(url: string): readonly string[] {
  const [, before = "", servers = "", rest = ""] = form.exec(url) ?? [];
  if (before === "") throw new Error("write postgresql://user:password@host/database");
  const parameters = new URLSearchParams(rest.replace(/^[^?]*\??/, ""));
  const wanted = parameters.get("target_session_attrs");
  if (wanted !== null && wanted !== "read-write" && wanted !== "primary")
    throw new Error("write target_session_attrs=read-write or leave it out, since the service writes");
  if (parameters.get("host")?.includes(","))
    throw new Error("write several servers as postgresql://user:password@host1:5432,host2:5432/database");
  if (!servers.includes(",")) return [url];
  const names = servers.split(",");
  for (const name of names) checkServer(name);
  if (names.length > maxServers || new Set(names).size < names.length)
    throw new Error(`write at most ${maxServers} servers, each of them once`);
  return names.map((name) => `${before}${name}${rest}`);
}

function checkServer(name: string): void {
  const [isServer, port = "5432"] = server.exec(name) ?? [];
  if (isServer === undefined || Number(port) < 1 || Number(port) > 65535)
    throw new Error(`"${name}" is not a server; write host or host:port, such as db1.example.com:5432`);
}
