/**
 * `secondary add` registers a name server; `secondary config` prints the stanza that makes it follow this service. Over
 * GraphQL.
 */
import { callGraphql, type Endpoint } from "./service/client.ts";
import { findTsigKey, tsigKeyId } from "./service/identify.ts";

/** The options of `secondary add`. */
export interface AddOptions {
  readonly tsigKey?: string;
  readonly tsig: boolean;
  readonly notify: boolean;
  readonly required: boolean;
  readonly allowUnsignedTransfer?: boolean;
  readonly indirect?: boolean;
  readonly json?: boolean;
}

/** The options of `secondary config`. */
export interface ConfigOptions {
  readonly server: string;
  readonly primary: readonly string[];
}

interface Added {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly tsigKey: { readonly name: string } | null;
}

export const addDocument = `mutation ($input: CreateSecondaryInput!) {
  createSecondary(input: $input) { secondary { id name address port tsigKey { name } } } }`;

/**
 * Registers a secondary. It signs with the named TSIG key, or with one of its own that is created together with it, or
 * not at all; `tsig: false` signs nothing.
 */
export async function addSecondary(
  endpoint: Endpoint,
  [name, address, port]: readonly [string, string, string],
  { tsigKey, tsig, notify, required, allowUnsignedTransfer = false, indirect = false, json }: AddOptions,
): Promise<void> {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`port: "${port}" is not a port; write a number from 1 to 65535.`);
  const key = tsig ? await keyFor(endpoint, name, tsigKey) : {};
  const more = { notify, requiredForLive: required, allowUnsignedTransfer, indirect };
  const { createSecondary } = await callGraphql<{ createSecondary: { secondary: Added } }>(endpoint, addDocument, {
    input: { name, address, port: Number(port), ...key, ...more },
  });
  const { secondary } = createSecondary;
  if (json) {
    console.log(JSON.stringify(secondary, null, 2));
    return;
  }
  const signature = secondary.tsigKey ? `signs with the key ${secondary.tsigKey.name}` : "signs nothing";
  console.log(`${name} at ${secondary.address} port ${secondary.port} is registered; it ${signature}.`);
  if (indirect) console.log("Let it send its zones to this service (AXFR), which compares them with its own.");
  else console.log(`Its configuration: zonesmith secondary config '${name.replaceAll("'", "'\\''")}' --server knot`);
}

/**
 * The key of a new secondary: the named one, or its own. Its own key may be there from before, when it was registered
 * once and removed; a key of that name that does not work any more is left alone, and the next name is taken.
 */
async function keyFor(endpoint: Endpoint, secondaryName: string, keyName: string | undefined) {
  if (keyName !== undefined) return { tsigKeyId: await tsigKeyId(endpoint, keyName) };
  for (let count = 1; ; count += 1) {
    const newTsigKey = `${keyLabel(secondaryName)}${count === 1 ? "" : `-${count}`}.zonesmith`;
    const existing = await findTsigKey(endpoint, newTsigKey);
    if (!existing) return { newTsigKey };
    if (existing.revokedAt === null && existing.expiresAt === null) return { tsigKeyId: existing.id };
  }
}

/** A label for a key, made of the letters and digits of its secondary's name. */
const keyLabel = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-|-$/g, "") || "secondary";

export const placeDocument = `query ($name: String!) {
  service { dnsAddress } secondary(by: { name: $name }) { address } }`;

interface Place {
  readonly service: { readonly dnsAddress: string };
  readonly secondary: { readonly address: string };
}

export const configDocument = `query ($name: String!, $server: SecondaryServer!, $primaries: [String!]) {
  secondaryConfig(by: { name: $name }, server: $server, primaries: $primaries) }`;

const isLoopback = (address: string) => /^\[?(127\.|::1\b|localhost\b)/.test(address);

/** Prints the stanza for a secondary; warns when it names an address that the secondary cannot reach. */
export async function printConfig(endpoint: Endpoint, name: string, { server, primary }: ConfigOptions): Promise<void> {
  const { service, secondary } = await callGraphql<Place>(endpoint, placeDocument, { name });
  const variables = { name, server: server.toUpperCase(), primaries: primary };
  const { secondaryConfig } = await callGraphql<{ secondaryConfig: string }>(endpoint, configDocument, variables);
  const used = (primary.length > 0 ? primary : [service.dnsAddress]).find(isLoopback);
  if (used !== undefined && !isLoopback(secondary.address))
    console.error(
      `warning: ${used} leads ${secondary.address} to itself and not to this service; name an address that it reaches, such as --primary 192.0.2.1, and set DNS_LISTEN.`,
    );
  process.stdout.write(secondaryConfig);
}
