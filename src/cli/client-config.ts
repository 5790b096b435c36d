/**
 * The configuration that makes a client of dynamic updates (RFC 2136) sign with a key of this service, in each client's
 * own syntax.
 */

/** A TSIG key and the server that it is for. Names have no trailing dot; `secret` is base64. */
export interface ClientKey {
  readonly name: string;
  readonly secret: string;
  /** The algorithm's DNS name, such as hmac-sha256. */
  readonly algorithm: string;
  readonly host: string;
  readonly port: string;
  readonly zone: string;
}

const lego = ({ name, secret, algorithm, host, port }: ClientKey) => `\
export RFC2136_NAMESERVER=${host}:${port}
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
      nameserver: ${host}:${port}
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
  const master = `${host}:${port}`;
  const provider = { TYPE: "AXFRDDNS", master, nameservers: "", "update-key": key, "transfer-key": key };
  return JSON.stringify({ zonesmith: provider }, null, 2);
};

const configurations: Readonly<Record<string, (key: ClientKey) => string>> = {
  lego,
  certbot,
  nsupdate,
  "external-dns": externalDns,
  "cert-manager": certManager,
  terraform,
  octodns,
  dnscontrol,
};

/** The clients that there is a configuration for. */
export const clients = Object.keys(configurations);

/** Clients that only prove control of a name (RFC 8555 §8.4). */
const acmeClients = new Set(["lego", "certbot", "cert-manager"]);

/** Whether a client gets certificates, so that its key need write nothing but TXT at `_acme-challenge`. */
export function isAcmeClient(client: string): boolean {
  return acmeClients.has(client);
}

/** Returns the writer of a client's configuration; throws when there is none for it. */
export function configurationFor(client: string): (key: ClientKey) => string {
  const configuration = Object.hasOwn(configurations, client) ? configurations[client] : undefined;
  if (configuration) return configuration;
  throw new Error(`There is no configuration for ${client}; write one of ${clients.join(", ")}.`);
}
