/** Finds users by e-mail address, and templates, webhooks, API keys and TSIG keys by name. */
import { allOf, callGraphql, type Endpoint, pageInfo, pagesOf, RefusedError } from "./client.ts";

const isId = (text: string) => /^\d{16}$/.test(text);

export const selectUser = (user: string) => ({ by: isId(user) ? { id: user } : { email: user } });

export const userDocument = "query ($email: String!) { user(by: { email: $email }) { id } }";
export const usersDocument = "{ users(first: 2) { nodes { id } } }";

const isMissing = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.body.error === "NOT_FOUND";

/** The id of a user by e-mail address or id. */
export async function userId(endpoint: Endpoint, user: string): Promise<string> {
  if (isId(user)) return user;
  const data = await callGraphql(endpoint, userDocument, { email: user }).catch((error) => {
    throw isMissing(error) ? new RefusedError(error.body, [`To add the user: zonesmith user add ${user}.`]) : error;
  });
  return data.user.id;
}

export const createUserDocument = "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }";

/** The id of the user of an e-mail address, who is created if need be; in a dry run that of another, since none is created. */
export async function userIdOrNew(endpoint: Endpoint, email: string, dryRun: boolean): Promise<string> {
  try {
    return await userId(endpoint, email);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (!dryRun) return (await callGraphql(endpoint, createUserDocument, { input: { email } })).createUser.user.id;
    const [other] = (await callGraphql(endpoint, usersDocument, {})).users.nodes;
    if (other) return other.id;
    throw new Error(
      "A dry run checks new zones as those of a user, and there is none; add one with zonesmith user add.",
    );
  }
}

/** The id of the only user that the key sees; throws when there are more. */
export async function onlyUserId(endpoint: Endpoint): Promise<string> {
  const [user, second] = (await callGraphql(endpoint, usersDocument, {})).users.nodes;
  if (user && !second) return user.id;
  throw new Error("--user is missing; name the user who will own the domain, by e-mail address or id.");
}

export const selectTemplate = (template: string) => ({ by: isId(template) ? { id: template } : { name: template } });

export const templateDocument = "query ($name: String!) { template(by: { name: $name }) { id } }";

/** The id of a template by name or id. */
export async function templateId(endpoint: Endpoint, template: string): Promise<string> {
  return isId(template) ? template : (await callGraphql(endpoint, templateDocument, { name: template })).template.id;
}

export const tsigKeysDocument = `query ($after: String) { tsigKeys(first: 1000, after: $after) {
  nodes { id name revokedAt expiresAt } ${pageInfo} } }` as const;
export const apiKeysDocument = `query ($after: String) { apiKeys(first: 1000, after: $after) {
  nodes { id name revokedAt } ${pageInfo} } }` as const;
export const webhooksDocument = `query ($after: String) { webhooks(first: 1000, after: $after) {
  nodes { id name } ${pageInfo} } }` as const;

/** The id of an API key by id or name; throws when no key in use or several have the name. */
export const apiKeyId = (endpoint: Endpoint, key: string) =>
  idOfName(
    key,
    pagesOf(endpoint, apiKeysDocument, ({ apiKeys }) => apiKeys, {}),
    {
      none: "No API key in use is",
      several: "Several API keys are",
      command: "key",
    },
  );

/** The id of a webhook by id or name; throws when no webhook or several have the name. */
export const webhookId = (endpoint: Endpoint, webhook: string) =>
  idOfName(
    webhook,
    pagesOf(endpoint, webhooksDocument, ({ webhooks }) => webhooks, {}),
    {
      none: "No webhook is",
      several: "Several webhooks are",
      command: "webhook",
    },
  );

interface Named {
  readonly id: string;
  readonly name: string;
  readonly revokedAt?: string | null;
}

async function idOfName(
  name: string,
  pages: AsyncIterable<{ readonly nodes: readonly Named[] }>,
  { none, several, command }: { readonly none: string; readonly several: string; readonly command: string },
): Promise<string> {
  if (isId(name)) return name;
  const [found, second] = (await allOf(pages)).filter((each) => each.name === name && !each.revokedAt);
  if (found && !second) return found.id;
  const how = second ? several : none;
  throw new Error(`${how} called ${name}; "zonesmith ${command} list" shows the ids.`);
}

/** The TSIG key of a name, in any spelling; undefined when there is no such key. */
export async function findTsigKey(endpoint: Endpoint, name: string) {
  const canonical = name.toLowerCase().replace(/\.$/, "");
  const keys = await allOf(pagesOf(endpoint, tsigKeysDocument, ({ tsigKeys }) => tsigKeys, {}));
  return keys.find((each) => each.name === canonical || each.id === name);
}

/** The id of the TSIG key of a name; throws when there is no such key. */
export async function tsigKeyId(endpoint: Endpoint, name: string): Promise<string> {
  const key = await findTsigKey(endpoint, name);
  if (key) return key.id;
  throw new Error(`There is no TSIG key ${name}; "zonesmith tsig list" shows the keys.`);
}
