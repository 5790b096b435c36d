/**
 * `tsig add`: creates a TSIG key and prints the configuration of the client it is for, ready to paste. The key of an
 * ACME client can write TXT at `_acme-challenge*` only and transfers nothing.
 */
import { callGraphql, type Endpoint } from "./client.ts";
import { configurationFor, isAcmeClient } from "./client-config.ts";
import { userId } from "./identify.ts";

/** The options of `tsig add`. */
export interface TsigOptions {
  readonly for: string;
  readonly name?: string;
  readonly zone?: readonly string[];
  readonly user?: string;
  readonly algorithm: string;
  readonly server?: string;
  readonly expires?: string;
  readonly json?: boolean;
}

interface CreatedKey {
  readonly secret: string;
  readonly tsigKey: { readonly name: string; readonly algorithm: string };
}

export const createDocument = `mutation ($input: CreateTsigKeyInput!) {
  createTsigKey(input: $input) { secret tsigKey { name algorithm } } }`;

export const dnsDocument = "{ service { dnsAddress dnsPort } }";

/** Creates a key and prints the configuration of its client; throws when the service refuses the key. */
export async function createTsig(endpoint: Endpoint, options: TsigOptions): Promise<void> {
  const configuration = configurationFor(options.for);
  const [zone] = options.zone ?? [];
  if (zone === undefined) throw new Error("--zone is missing; name the zone that the key is for: --zone example.com.");
  const server = options.server ?? (await dnsServer(endpoint));
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(server) ?? [];
  if (!host || !port) throw new Error("--server is not an address and a port; write them such as '192.0.2.1:53'.");
  const input = {
    name: options.name ?? `${options.for}.${zone}`,
    algorithm: options.algorithm.toUpperCase().replaceAll("-", "_"),
    zones: options.zone,
    ...(options.user && { userId: await userId(endpoint, options.user) }),
    ...(options.expires && { expiresAt: options.expires }),
    ...(isAcmeClient(options.for) && { owners: ["_acme-challenge*"], types: ["TXT"], transfer: false }),
  };
  const { createTsigKey } = await callGraphql<{ createTsigKey: CreatedKey }>(endpoint, createDocument, { input });
  const { secret, tsigKey } = createTsigKey;
  const algorithm = tsigKey.algorithm.toLowerCase().replaceAll("_", "-");
  if (options.json) console.log(JSON.stringify({ ...tsigKey, algorithm, secret, server }, null, 2));
  else console.log(configuration({ ...tsigKey, algorithm, secret, host, port, zone }));
}

/** Where the service's DNS is; where it listens on every address, at the host that its URL names. */
async function dnsServer(endpoint: Endpoint): Promise<string> {
  const { service } = await callGraphql<{ service: { dnsAddress: string; dnsPort: number } }>(
    endpoint,
    dnsDocument,
    {},
  );
  const isWildcard = service.dnsAddress === "0.0.0.0" || service.dnsAddress === "::";
  const host = isWildcard ? new URL(endpoint.url).hostname : service.dnsAddress;
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${service.dnsPort}`;
}
