/**
 * `tsig create`: makes a TSIG key by GraphQL and prints the configuration of the client it is for, ready to paste. Clients that get
 * certificates are given a key that writes TXT at `_acme-challenge*` only and transfers nothing.
 */
import { type Endpoint, RefusedError } from "./client.ts";

/** The options of `tsig create`. */
export interface TsigOptions {
  readonly for: string;
  readonly name?: string;
  readonly zone?: readonly string[];
  readonly user?: string;
  readonly algorithm: string;
  readonly server: string;
  readonly expires?: string;
}

/** A key and the server it is for, as snippets need them. */
interface Made {
  readonly name: string;
  readonly secret: string;
  readonly algorithm: string;
  readonly host: string;
  readonly port: string;
  readonly zone: string;
}

/** Each client's configuration, in its own words. */
const snippets: Readonly<Record<string, (made: Made) => string>> = {
  lego: ({ name, secret, algorithm, host, port }) =>
    `export RFC2136_NAMESERVER=${host}:${port}\nexport RFC2136_TSIG_KEY=${name}.\nexport RFC2136_TSIG_ALGORITHM=${algorithm}.\nexport RFC2136_TSIG_SECRET=${secret}\n# lego --dns rfc2136 --domains <name> --email <you> run`,
  certbot: ({ name, secret, algorithm, host, port }) =>
    `# rfc2136.ini, chmod 600; certbot certonly --dns-rfc2136 --dns-rfc2136-credentials rfc2136.ini -d <name>\ndns_rfc2136_server = ${host}\ndns_rfc2136_port = ${port}\ndns_rfc2136_name = ${name}.\ndns_rfc2136_secret = ${secret}\ndns_rfc2136_algorithm = ${algorithm.toUpperCase()}`,
  nsupdate: ({ name, secret, algorithm, host, port, zone }) =>
    `; nsupdate <this file>, or knsupdate\nserver ${host} ${port}\nzone ${zone}.\nkey ${algorithm}:${name}. ${secret}\nupdate add test.${zone}. 300 A 192.0.2.1\nsend`,
  "external-dns": ({ name, secret, algorithm, host, port, zone }) =>
    ["provider=rfc2136", `rfc2136-host=${host}`, `rfc2136-port=${port}`, `rfc2136-zone=${zone}`]
      .concat(`rfc2136-tsig-keyname=${name}`, `rfc2136-tsig-secret=${secret}`, `rfc2136-tsig-secret-alg=${algorithm}`)
      .concat("rfc2136-tsig-axfr")
      .map((argument) => `--${argument}`)
      .join("\n"),
  "cert-manager": ({ name, secret, algorithm, host, port }) =>
    `# kubectl create secret generic zonesmith-tsig --from-literal=secret=${secret}\nsolvers:\n- dns01:\n    rfc2136:\n      nameserver: ${host}:${port}\n      tsigKeyName: ${name}\n      tsigAlgorithm: ${algorithm.replaceAll("-", "").toUpperCase()}\n      tsigSecretSecretRef:\n        name: zonesmith-tsig\n        key: secret`,
  terraform: ({ name, secret, algorithm, host, port }) =>
    `provider "dns" {\n  update {\n    server        = "${host}"\n    port          = ${port}\n    key_name      = "${name}."\n    key_algorithm = "${algorithm}"\n    key_secret    = "${secret}"\n  }\n}`,
  octodns: ({ name, secret, algorithm, host, port }) =>
    `providers:\n  zonesmith:\n    class: octodns_bind.Rfc2136Provider\n    host: ${host}\n    port: ${port}\n    key_name: ${name}\n    key_algorithm: ${algorithm}\n    key_secret: ${secret}`,
  dnscontrol: ({ name, secret, algorithm, host, port }) =>
    JSON.stringify(
      {
        zonesmith: {
          TYPE: "AXFRDDNS",
          master: `${host}:${port}`,
          nameservers: "",
          "update-key": `${algorithm}:${name}:${secret}`,
          "transfer-key": `${algorithm}:${name}:${secret}`,
        },
      },
      null,
      2,
    ),
};

/** The clients there is a configuration for. */
export const clients = Object.keys(snippets);

/** Clients that only prove that a name is theirs (RFC 8555 §8.4). */
const acme = new Set(["lego", "certbot", "cert-manager"]);

/** Creates a key and prints the configuration of its client. */
export async function createTsig(access: Endpoint, options: TsigOptions): Promise<void> {
  const snippet = Object.hasOwn(snippets, options.for) ? snippets[options.for] : undefined;
  if (!snippet) throw new Error(`There is no configuration for ${options.for}; write one of ${clients.join(", ")}.`);
  const [zone] = options.zone ?? [];
  if (zone === undefined) throw new Error("Name the zone that the key is for with --zone example.com.");
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(options.server) ?? [];
  if (!host || !port) throw new Error("--server is no address with a port; write one such as 192.0.2.1:53.");
  const input = {
    name: options.name ?? `${options.for}.${zone}`,
    algorithm: options.algorithm,
    zones: options.zone,
    ...(options.user && { userId: options.user }),
    ...(options.expires && { expiresAt: options.expires }),
    ...(acme.has(options.for) && { owners: ["_acme-challenge*"], types: ["TXT"], transfer: false }),
  };
  const { name, algorithm, secret } = await create(access, input);
  console.log(snippet({ name, algorithm, secret, host, port, zone }));
}

const document = `mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { secret tsigKey { name algorithm } } }`;

async function create(
  { url, key }: Endpoint,
  input: Record<string, unknown>,
): Promise<{ name: string; algorithm: string; secret: string }> {
  let response: Response;
  try {
    response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": key },
      body: JSON.stringify({ query: document, variables: { input } }),
    });
  } catch (error) {
    const { code = String((error as Error).message) } = ((error as Error).cause ?? {}) as { code?: string };
    throw new Error(`The service at ${url} cannot be reached (${code}); start it, or set ZONESMITH_URL.`);
  }
  const { data, errors } = (await response.json()) as {
    data?: { createTsigKey: { secret: string; tsigKey: { name: string; algorithm: string } } };
    errors?: { message: string; extensions?: { code: string } }[];
  };
  const [first] = errors ?? [];
  if (first || !data) {
    const message = first?.message ?? `${url} answered ${response.status}; check ZONESMITH_URL.`;
    throw new RefusedError({ code: response.status, error: first?.extensions?.code ?? "INTERNAL_ERROR", message });
  }
  const { secret, tsigKey } = data.createTsigKey;
  return { ...tsigKey, secret };
}
