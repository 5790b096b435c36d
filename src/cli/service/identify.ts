/**
 * Finds what a command names: users by e-mail address, API keys and TSIG keys by name.
 */
import { callGraphql, type Endpoint, pagesOf } from "./client.ts";

const isId = (text: string) => /^\d{16}$/.test(text);

/** The selector by which the service finds a user: an id, or an e-mail address. */
export const selectUser = (user: string) => ({ by: isId(user) ? { id: user } : { email: user } });

/** The id of a user, who is named by an e-mail address or an id. */
export async function userId(endpoint: Endpoint, user: string): Promise<string> {
  if (isId(user)) return user;
  const query = "query ($email: String!) { user(by: { email: $email }) { id } }";
  return (await callGraphql<{ user: { id: string } }>(endpoint, query, { email: user })).user.id;
}

/** The id of the only user that the key sees, as a user's own key does; throws when there are more. */
export async function onlyUserId(endpoint: Endpoint): Promise<string> {
  const { users } = await callGraphql<{ users: { nodes: { id: string }[] } }>(
    endpoint,
    "{ users(first: 2) { nodes { id } } }",
    {},
  );
  const [user, second] = users.nodes;
  if (user && !second) return user.id;
  throw new Error("--user is missing; name the user who will own the domain, by e-mail address or id.");
}

/** A TSIG key as it is found by its name. */
export interface FoundKey {
  readonly id: string;
  readonly name: string;
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
}

export const tsigKeysDocument = `query ($after: String) { tsigKeys(first: 1000, after: $after) {
  nodes { id name revokedAt expiresAt } pageInfo { hasNextPage endCursor } } }`;

export const apiKeysDocument = `query ($after: String) { apiKeys(first: 1000, after: $after) {
  nodes { id name revokedAt } pageInfo { hasNextPage endCursor } } }`;

/** The id of an API key, which its id or its name says; throws when no key in use or several have that name. */
export async function apiKeyId(endpoint: Endpoint, key: string): Promise<string> {
  if (isId(key)) return key;
  const ids: string[] = [];
  for await (const { nodes } of pagesOf<Omit<FoundKey, "expiresAt">>(endpoint, apiKeysDocument, "apiKeys"))
    ids.push(...nodes.filter(({ name, revokedAt }) => name === key && revokedAt === null).map(({ id }) => id));
  const [id, second] = ids;
  if (id !== undefined && second === undefined) return id;
  const how = second === undefined ? "No API key in use is" : "Several API keys are";
  throw new Error(`${how} called ${key}; "zonesmith key list" shows the ids.`);
}

/** The TSIG key of a name, in any spelling; undefined when there is no such key. */
export async function findTsigKey(endpoint: Endpoint, name: string): Promise<FoundKey | undefined> {
  const canonical = name.toLowerCase().replace(/\.$/, "");
  for await (const { nodes } of pagesOf<FoundKey>(endpoint, tsigKeysDocument, "tsigKeys")) {
    const key = nodes.find((each) => each.name === canonical || each.id === name);
    if (key) return key;
  }
  return undefined;
}

/** The id of the TSIG key of a name; throws when there is no such key. */
export async function tsigKeyId(endpoint: Endpoint, name: string): Promise<string> {
  const key = await findTsigKey(endpoint, name);
  if (key) return key.id;
  throw new Error(`There is no TSIG key ${name}; "zonesmith tsig list" shows the keys.`);
}
