/** Clients of dynamic updates (RFC 2136): the scope of each client's key, and the client's configuration for a key, in its own syntax. */
import { Refusal } from "../errors.ts";
import type { ScopeFields } from "./tsig-scope.ts";

/** A TSIG key and its server. Names have no trailing dot; `secret` is base64. */
export interface ClientKey {
  readonly name: string;
  readonly secret: string;
  readonly algorithm: string;
  readonly host: string;
  readonly port: string;
  readonly zone: string;
}

const authority = (host: string, port: string) => `${host.includes(":") ? `[${host}]` : host}:${port}`;

const lego = ({ name, secret, algorithm, host, port }: ClientKey) => `\
export RFC2136_NAMESERVER=${authority(host, port)}
export RFC2136_TSIG_KEY=${name}.
export RFC2136_TSIG_ALGORITHM=${algorithm}.
export RFC2136_TSIG_SECRET=${secret}
# lego --dns rfc2136 --domains <name> --email <you> run`;

const certbot = ({ name, secret, algorithm, host, port }: ClientKey) => `\
# rfc2136.ini, chmod 600; certbot certonly --dns-rfc2136 --dns-rfc2136-credentials rfc2136.ini -d <name>
dns_rfc2136_server = ${host}
dns_rfc2136_port = ${port}
dns_rfc2136_name = ${name}.
dns_rfc2136_secret = ${secret}
dns_rfc2136_algorithm = ${algorithm.toUpperCase()}`;

const nsupdate = ({ name, secret, algorithm, host, port, zone }: ClientKey) => `\
; nsupdate <this file>, or knsupdate
server ${host} ${port}
zone ${zone}.
key ${algorithm}:${name}. ${secret}
update add test.${zone}. 300 A 192.0.2.1
send`;

const externalDns = ({ name, secret, algorithm, host, port, zone }: ClientKey) => `\
--provider=rfc2136
--rfc2136-host=${host}
--rfc2136-port=${port}
--rfc2136-zone=${zone}
--rfc2136-tsig-keyname=${name}
--rfc2136-tsig-secret=${secret}
--rfc2136-tsig-secret-alg=${algorithm}
--rfc2136-tsig-axfr`;

const certManager = ({ name, secret, algorithm, host, port }: ClientKey) => `\
# kubectl create secret generic zonesmith-tsig --from-literal=secret=${secret}
solvers:
- dns01:
    rfc2136:
      nameserver: ${authority(host, port)}
      tsigKeyName: ${name}
      tsigAlgorithm: ${algorithm.replaceAll("-", "").toUpperCase()}
      tsigSecretSecretRef:
        name: zonesmith-tsig
        key: secret`;

const terraform = ({ name, secret, algorithm, host, port }: ClientKey) => `\
provider "dns" {
  update {
    server        = "${host}"
    port          = ${port}
    key_name      = "${name}."
    key_algorithm = "${algorithm}"
    key_secret    = "${secret}"
  }
}`;

const octodns = ({ name, secret, algorithm, host, port }: ClientKey) => `\
providers:
  zonesmith:
    class: octodns_bind.Rfc2136Provider
    host: ${host}
    port: ${port}
    key_name: ${name}
    key_algorithm: ${algorithm}
    key_secret: ${secret}`;

const dnscontrol = ({ name, secret, algorithm, host, port }: ClientKey) => {
  const key = `${algorithm}:${name}:${secret}`;
  const master = authority(host, port);
  const provider = { TYPE: "AXFRDDNS", master, nameservers: "", "update-key": key, "transfer-key": key };
  return JSON.stringify({ zonesmith: provider }, null, 2);
};

const configurations = {
  LEGO: lego,
  CERTBOT: certbot,
  NSUPDATE: nsupdate,
  EXTERNAL_DNS: externalDns,
  CERT_MANAGER: certManager,
  TERRAFORM: terraform,
  OCTODNS: octodns,
  DNSCONTROL: dnscontrol,
} as const satisfies Record<string, (key: ClientKey) => string>;

export type UpdateClient = keyof typeof configurations;

export const updateClients = Object.keys(configurations) as readonly UpdateClient[];

/** Clients that only prove control of a name (RFC 8555 §8.4). */
const acmeClients: ReadonlySet<UpdateClient> = new Set(["LEGO", "CERTBOT", "CERT_MANAGER"]);

/** Clients that read a zone by a transfer; the others only send updates and queries. */
const transferringClients: ReadonlySet<UpdateClient> = new Set(["EXTERNAL_DNS", "OCTODNS", "DNSCONTROL"]);

/** The scope of a client's key, apart from its zones. The key of an ACME client writes only TXT at `_acme-challenge`. */
export function scopeFor(client: UpdateClient): Pick<ScopeFields, "owners" | "types"> & { readonly transfer: boolean } {
  return acmeClients.has(client)
    ? { owners: ["_acme-challenge*"], types: ["TXT"], transfer: false }
    : { owners: null, types: null, transfer: transferringClients.has(client) };
}

/** The address of this service as the client reaches it, and the zone in the client's configuration. */
interface ClientPlace {
  /** An address or a name with a port, such as `192.0.2.1:53`; an IPv6 address is in brackets. */
  readonly server: string;
  readonly zone: string;
}

/** Returns the configuration of a client for a key; throws INVALID_VALUE when `server` is not an address and a port. */
export function clientConfig(
  client: UpdateClient,
  key: Pick<ClientKey, "name" | "algorithm" | "secret">,
  { server, zone }: ClientPlace,
): string {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(server) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && port !== undefined && Number(port) >= 1 && Number(port) <= 65_535)
    return configurations[client]({ ...key, host, port, zone });
  throw new Refusal("INVALID_VALUE", "server is not an address and a port; write them such as 192.0.2.1:53.", {
    field: "server",
  });
}
