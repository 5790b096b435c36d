/**
 * `tsig add`: creates a TSIG key and prints the configuration of the client it is for, ready to paste. The service says
 * what a key for the client needs to reach.
 */
import { isWildcard } from "../net/listening-address.ts";
import { callGraphql, type Endpoint } from "./service/client.ts";
import { userId } from "./service/identify.ts";

/** The options of `tsig add`. */
export interface TsigOptions {
  readonly for: string;
  readonly name?: string;
  readonly zone?: readonly string[];
  readonly user?: string;
  readonly algorithm: string;
  readonly server?: string;
  readonly expires?: string;
  readonly exemptFromReview?: boolean;
  readonly json?: boolean;
}

interface CreatedKey {
  readonly secret: string;
  readonly tsigKey: { readonly name: string; readonly algorithm: string };
  readonly config: string;
}

interface Scope {
  readonly client: string;
  readonly owners: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly transfer: boolean;
}

export const createDocument = `mutation ($input: CreateTsigKeyInput!, $client: UpdateClient!, $server: String!) {
  createTsigKey(input: $input) { secret tsigKey { name algorithm } config(client: $client, server: $server) } }`;

export const scopesDocument = "{ updateClients { client owners types transfer } }";

/** The clients that there is a configuration for. */
export const clients = [
  "lego",
  "certbot",
  "nsupdate",
  "external-dns",
  "cert-manager",
  "terraform",
  "octodns",
  "dnscontrol",
] as const;

/** The name of a client in the schema. */
export const clientName = (client: string) => client.toUpperCase().replaceAll("-", "_");

export const dnsDocument = "{ service { dnsAddress dnsPort } }";

/** Creates a key and prints the configuration of its client; throws when the service refuses the key. */
export async function createTsig(endpoint: Endpoint, options: TsigOptions): Promise<void> {
  if (!(clients as readonly string[]).includes(options.for))
    throw new Error(`There is no configuration for ${options.for}; write one of ${clients.join(", ")}.`);
  const [zone] = options.zone ?? [];
  if (zone === undefined) throw new Error("--zone is missing; name the zone that the key is for: --zone example.com.");
  const server = options.server ?? (await dnsServer(endpoint));
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+):\d+$/i.test(server))
    throw new Error("--server is not an address and a port; write them such as '192.0.2.1:53'.");
  const client = clientName(options.for);
  const { updateClients } = await callGraphql<{ updateClients: readonly Scope[] }>(endpoint, scopesDocument, {});
  const { client: _client, ...scope } = updateClients.find((each) => each.client === client) ?? { client };
  const input = {
    name: options.name ?? `${options.for}.${zone}`,
    algorithm: options.algorithm.toUpperCase().replaceAll("-", "_"),
    zones: options.zone,
    ...(options.user && { userId: await userId(endpoint, options.user) }),
    ...(options.expires && { expiresAt: options.expires }),
    ...(options.exemptFromReview && { exemptFromReview: true }),
    ...scope,
  };
  const variables = { input, client, server };
  const { createTsigKey } = await callGraphql<{ createTsigKey: CreatedKey }>(endpoint, createDocument, variables);
  const { secret, tsigKey, config } = createTsigKey;
  const algorithm = tsigKey.algorithm.toLowerCase().replaceAll("_", "-");
  if (options.json) console.log(JSON.stringify({ ...tsigKey, algorithm, secret, server }, null, 2));
  else console.log(config);
}

/** Where the service's DNS is; where it listens on every address, at the host that its URL names. */
async function dnsServer(endpoint: Endpoint): Promise<string> {
  const { service } = await callGraphql<{ service: { dnsAddress: string; dnsPort: number } }>(
    endpoint,
    dnsDocument,
    {},
  );
  const host = isWildcard(service.dnsAddress) ? new URL(endpoint.url).hostname : service.dnsAddress;
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${service.dnsPort}`;
}
