/**
 * `secondary add` registers a name server; `secondary config` prints the stanza that makes it follow this service. Over
 * GraphQL.
 */
import { callGraphql, type Endpoint } from "./client.ts";

/** The options of `secondary add`. */
export interface AddOptions {
  readonly tsigKey?: string;
  readonly tsig: boolean;
  readonly notify: boolean;
  readonly required: boolean;
  readonly allowUnsignedTransfer?: boolean;
  readonly indirect?: boolean;
}

/** The options of `secondary config`. */
export interface ConfigOptions {
  readonly server: string;
  readonly primary?: string;
}

/**
 * Registers a secondary. It signs with the named TSIG key, or with a new one of its own; `tsig: false` signs nothing.
 */
export async function addSecondary(
  endpoint: Endpoint,
  [name, address, port]: readonly [string, string, string],
  { tsigKey, tsig, notify, required, allowUnsignedTransfer = false, indirect = false }: AddOptions,
): Promise<void> {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`port: "${port}" is not a port; write a number from 1 to 65535.`);
  const key = tsig ? await signingKey(endpoint, name, tsigKey) : undefined;
  const { createSecondary } = await callGraphql<{ createSecondary: { secondary: { address: string; port: number } } }>(
    endpoint,
    "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { address port } } }",
    {
      input: {
        name,
        address,
        port: Number(port),
        tsigKeyId: key?.id ?? null,
        notify,
        requiredForLive: required,
        allowUnsignedTransfer,
        indirect,
      },
    },
  );
  const { secondary } = createSecondary;
  const signature = key ? `signs with the key ${key.name}` : "signs nothing";
  console.log(`${name} at ${secondary.address} port ${secondary.port} is registered; it ${signature}.`);
  if (indirect) console.log("Let it send its zones to this service (AXFR), which compares them with its own.");
  else console.log(`Its configuration: zonesmith secondary config '${name.replaceAll("'", "'\\''")}' --server knot`);
}

/** Prints the stanza for a secondary. */
export async function printConfig(endpoint: Endpoint, name: string, { server, primary }: ConfigOptions): Promise<void> {
  const { secondary } = await callGraphql<{ secondary: { id: string } }>(
    endpoint,
    "query ($name: String!) { secondary(by: { name: $name }) { id } }",
    { name },
  );
  const { secondaryConfig } = await callGraphql<{ secondaryConfig: string }>(
    endpoint,
    `query ($id: ID!, $server: SecondaryServer!, $primary: String) {
      secondaryConfig(secondaryId: $id, server: $server, primary: $primary) }`,
    { id: secondary.id, server: server.toUpperCase(), primary: primary ?? null },
  );
  process.stdout.write(secondaryConfig);
}

/** A label for a key, made of the letters and digits of its secondary's name. */
const keyLabel = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-|-$/g, "") || "secondary";

interface Key {
  readonly id: string;
  readonly name: string;
}

function signingKey(endpoint: Endpoint, secondaryName: string, keyName: string | undefined): Promise<Key> {
  return keyName === undefined
    ? createKey(endpoint, `${keyLabel(secondaryName)}.zonesmith`)
    : findKey(endpoint, keyName);
}

async function createKey(endpoint: Endpoint, name: string): Promise<Key> {
  const { createTsigKey } = await callGraphql<{ createTsigKey: { tsigKey: Key } }>(
    endpoint,
    "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { tsigKey { id name } } }",
    { input: { name } },
  );
  return createTsigKey.tsigKey;
}

/** Finds a key by name, in any spelling, page by page; throws when there is none. */
async function findKey(endpoint: Endpoint, name: string): Promise<Key> {
  const canonical = name.toLowerCase().replace(/\.$/, "");
  for (let after: string | null = null; ; ) {
    const { tsigKeys }: { tsigKeys: KeyPage } = await callGraphql(
      endpoint,
      "query ($after: String) { tsigKeys(first: 1000, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }",
      { after },
    );
    const key = tsigKeys.nodes.find((each) => each.name === canonical);
    if (key) return key;
    if (!tsigKeys.pageInfo.hasNextPage)
      throw new Error(`There is no TSIG key ${name}; leave --tsig-key out to create one.`);
    after = tsigKeys.pageInfo.endCursor;
  }
}

interface KeyPage {
  readonly nodes: readonly Key[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}
