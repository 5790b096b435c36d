/**
 * `secondary add` and `secondary config`: a name server registered, and the stanza that makes it one. They speak GraphQL.
 */
import { callGraphql, type Endpoint } from "./client.ts";

/** The options of `secondary add`. */
export interface AddOptions {
  readonly tsigKey?: string;
  readonly tsig: boolean;
  readonly notify: boolean;
  readonly required: boolean;
  readonly allowUnsignedTransfer?: boolean;
}

/** The options of `secondary config`. */
export interface ConfigOptions {
  readonly server: string;
  readonly primary?: string;
}

/** Registers a secondary; it signs with the key that is named, or with one of its own that is made now. */
export async function addSecondary(
  access: Endpoint,
  [name, address, port]: readonly [string, string, string],
  { tsigKey, tsig, notify, required, allowUnsignedTransfer = false }: AddOptions,
): Promise<void> {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`port: ${port} is none; write a number from 1 to 65535.`);
  const key = tsig ? await keyOf(access, tsigKey ?? `${keyName(name)}.zonesmith`, tsigKey === undefined) : undefined;
  const { createSecondary } = await callGraphql<{ createSecondary: { secondary: { address: string; port: number } } }>(
    access,
    "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { address port } } }",
    {
      input: {
        name,
        address,
        port: Number(port),
        tsigKey: key?.id ?? null,
        notify,
        requiredForLive: required,
        allowUnsignedTransfer,
      },
    },
  );
  const { secondary } = createSecondary;
  const signs = key ? `signs with the key ${key.name}` : "signs nothing";
  console.log(`${name} at ${secondary.address} port ${secondary.port} is registered; it ${signs}.`);
  console.log(`Its configuration: zonesmith secondary config '${name.replaceAll("'", "'\\''")}' --server knot`);
}

/** Prints the stanza for a secondary. */
export async function printConfig(access: Endpoint, name: string, { server, primary }: ConfigOptions): Promise<void> {
  const found = await callGraphql<{ secondary: { id: string } }>(
    access,
    "query ($name: String!) { secondary(name: $name) { id } }",
    { name },
  );
  const { secondaryConfig } = await callGraphql<{ secondaryConfig: string }>(
    access,
    `query ($id: ID!, $server: SecondaryServer!, $primary: String) {
      secondaryConfig(secondary: $id, server: $server, primary: $primary) }`,
    { id: found.secondary.id, server: server.toUpperCase(), primary: primary ?? null },
  );
  process.stdout.write(secondaryConfig);
}

/** What of a secondary's name can stand in the name of a key. */
const keyName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-|-$/g, "") || "secondary";

interface Key {
  readonly id: string;
  readonly name: string;
}

/** The key of this name; made when it is to be a new one. */
async function keyOf(access: Endpoint, name: string, isNew: boolean): Promise<Key> {
  if (isNew) {
    const made = await callGraphql<{ createTsigKey: { tsigKey: Key } }>(
      access,
      "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { tsigKey { id name } } }",
      { input: { name } },
    );
    return made.createTsigKey.tsigKey;
  }
  const wanted = name.toLowerCase().replace(/\.$/, "");
  for (let after: string | null = null; ; ) {
    const page: { tsigKeys: { nodes: Key[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } =
      await callGraphql(
        access,
        "query ($after: String) { tsigKeys(first: 1000, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }",
        { after },
      );
    const key = page.tsigKeys.nodes.find((each) => each.name === wanted);
    if (key) return key;
    if (!page.tsigKeys.pageInfo.hasNextPage)
      throw new Error(`There is no TSIG key ${name}; leave --tsig-key out to have one made.`);
    after = page.tsigKeys.pageInfo.endCursor;
  }
}
