/**
 * The commands for users, their quotas, and API keys.
 */
import { callGraphql } from "../service/client.ts";
import { apiKeyId, selectUser, userId } from "../service/identify.ts";
import type { Column, Row } from "../terminal/print.ts";
import type { CommandRow } from "./command-row.ts";

/** The options that set a limit, by the quota's name in GraphQL. */
export const limitOptions = {
  domains: { flag: "domains", counts: "domains of the user" },
  recordsPerDomain: { flag: "records-per-domain", counts: "records of each domain" },
  records: { flag: "records", counts: "records of all domains" },
  changesPerDay: { flag: "changes", counts: "changes a day, UTC" },
} as const;

type LimitName = keyof typeof limitOptions;
const limitNames = Object.keys(limitOptions) as readonly LimitName[];

/** The limits that were written, as the mutation takes them. */
export function limitsOf(options: Readonly<Record<string, string | boolean | undefined>>): Row {
  const written = limitNames.flatMap((name) => {
    const { flag } = limitOptions[name];
    const text = options[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    return text === undefined ? [] : [[name, limitOf(flag, String(text))] as const];
  });
  return Object.fromEntries(written);
}

function limitOf(flag: string, text: string): object {
  if (text === "default") return { isDefault: true };
  if (text === "none") return { limit: null };
  if (/^\d{1,10}$/.test(text)) return { limit: Number(text) };
  throw new Error(`--${flag} is ${text}; write a number, none, or default.`);
}

/** What is read of a user for `quotaColumns`. */
export const quotaFields = `quota { ${limitNames.map((name) => `${name} { limit isDefault usage }`).join(" ")} }`;

interface Quota {
  readonly limit: number | null;
  readonly isDefault: boolean;
  readonly usage: number | null;
}

/** A limit, after what is used of it. */
function limitText({ limit, isDefault, usage }: Quota): string {
  const shown = limit === null ? "no limit" : `${usage === null ? "" : "of "}${limit}`;
  const source = isDefault ? "" : ", set for the user";
  return `${[usage, shown].filter((each) => each !== null).join(limit === null ? ", " : " ")}${source}`;
}

const column = (heading: string, name: LimitName): Column => [
  heading,
  `quota.${name}`,
  (quota) => limitText(quota as Quota),
];

export const quotaColumns: readonly Column[] = [
  column("domains", "domains"),
  column("records", "records"),
  column("records of a domain", "recordsPerDomain"),
  column("changes today", "changesPerDay"),
];

const userColumns: readonly Column[] = [
  ["email", "email"],
  ["id", "id"],
  ["created", "createdAt"],
];
const userFields = "id email createdAt";

const keyColumns: readonly Column[] = [
  ["name", "name"],
  // As much of it as the log and the journal show after the name.
  ["fingerprint", "fingerprint", (fingerprint) => String(fingerprint).slice(0, 8)],
  ["id", "id"],
  ["user", "user.email"],
  ["read-only", "readOnly"],
  ["created", "createdAt"],
  ["last used", "lastUsedAt"],
  ["expires", "expiresAt"],
  ["revoked", "revokedAt"],
];
const keyFields = "id name fingerprint user { email } readOnly createdAt lastUsedAt expiresAt revokedAt";

export const owningDocument = "query ($by: UserSelector!) { user(by: $by) { email domains(first: 1) { totalCount } } }";
export const ownKeyDocument = "{ viewer { key { id name } } }";

interface Owning {
  readonly user: { readonly email: string; readonly domains: { readonly totalCount: number } };
}

interface Viewing {
  readonly viewer: { readonly key: { readonly id: string; readonly name: string } | null };
}

export const accountRows: readonly CommandRow[] = [
  {
    words: "user list",
    description: "list the users",
    document: `query ($after: String) { users(first: 1000, after: $after) {
      nodes { ${userFields} } pageInfo { hasNextPage endCursor } } }`,
    result: "users.nodes",
    columns: userColumns,
  },
  {
    words: "user show <user>",
    description: "show a user, who is named by e-mail address or id",
    document: `query ($by: UserSelector!) { user(by: $by) { ${userFields} ${quotaFields} } }`,
    variables: ({ args: [user = ""] }) => selectUser(user),
    result: "user",
    columns: [...userColumns, ...quotaColumns],
  },
  {
    words: "user limit <user>",
    description: "set quotas of a user: a number, none, or default, which is that of the service's settings",
    options: Object.entries(limitOptions).map(([name, { flag, counts }]) => [
      `--${flag} <limit>`,
      `${counts} (\`${name}\` of GraphQL)`,
    ]),
    needsOption: true,
    document: `mutation ($input: SetUserQuotaInput!) { setUserQuota(input: $input) { user { ${userFields} ${quotaFields} } } }`,
    variables: ({ args: [user = ""], options }) => ({
      input: { ...limitsOf(options), ...selectUser(user) },
    }),
    result: "setUserQuota.user",
    columns: [...userColumns, ...quotaColumns],
  },
  {
    words: "user add <email>",
    description: "create a user",
    document: `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${userFields} } } }`,
    variables: ({ args: [email] }) => ({ input: { email } }),
    result: "createUser.user",
    columns: userColumns,
  },
  {
    words: "user change <user> <email>",
    description: "give a user another e-mail address",
    document: `mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { ${userFields} } } }`,
    variables: ({ args: [user = "", email] }) => ({ input: { ...selectUser(user), email } }),
    result: "updateUser.user",
    columns: userColumns,
  },
  {
    words: "user remove <user>",
    description: "delete a user with the user's keys; refused while the user owns domains, without an option",
    options: [
      ["--delete-domains", "delete the domains too"],
      ["--domains-to <user>", "give the domains to this user"],
    ],
    question: async ({ args: [name = ""], options: { deleteDomains } }, endpoint) => {
      if (!deleteDomains) return undefined;
      const { user } = await callGraphql<Owning>(endpoint, owningDocument, selectUser(name));
      const { totalCount } = user.domains;
      if (totalCount === 0) return undefined;
      const domains = totalCount === 1 ? "domain" : "domains";
      const consequence = `This deletes ${user.email} with ${totalCount} ${domains} and all their records.`;
      return { consequence, expected: user.email, called: "the user's e-mail address" };
    },
    advice: { USER_HAS_DOMAINS: "--delete-domains or --domains-to <user>" },
    document: "mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }",
    variables: async ({ args: [user = ""], options }, endpoint) => ({
      input: {
        ...selectUser(user),
        ...(options.deleteDomains && { onDomains: "DELETE" }),
        ...(options.domainsTo && {
          onDomains: "TRANSFER",
          transferToUserId: await userId(endpoint, String(options.domainsTo)),
        }),
      },
    }),
    result: "deleteUser",
    columns: [],
    text: (_row, { args: [user] }) => `${user} is deleted.`,
  },
  {
    words: "key list",
    description: "list the API keys",
    options: [["--user <user>", "only those of this user"]],
    document: `query ($after: String, $filter: ApiKeyFilter) { apiKeys(first: 1000, after: $after, filter: $filter) {
      nodes { ${keyFields} } pageInfo { hasNextPage endCursor } } }`,
    variables: async ({ options: { user } }, endpoint) =>
      user ? { filter: { userId: await userId(endpoint, String(user)) } } : {},
    result: "apiKeys.nodes",
    columns: keyColumns,
  },
  {
    words: "key add <name>",
    alias: "create",
    description: "create an API key and print it, this once; without --user it is an administrator's",
    options: [
      ["--user <user>", "the user whose key it is, by e-mail address or id"],
      ["--read-only", "it may only read"],
      ["--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z (default: never)"],
    ],
    document: `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { ${keyFields} } } }`,
    variables: async ({ args: [name], options: { user, readOnly = false, expires } }, endpoint) => ({
      input: {
        name,
        readOnly,
        ...(user && { userId: await userId(endpoint, String(user)) }),
        ...(expires && { expiresAt: expires }),
      },
    }),
    result: "createApiKey",
    columns: [],
    text: ({ key }) => String(key),
  },
  {
    words: "key revoke <key>",
    description: "revoke an API key, which is named by name or id; it is refused from now on",
    question: async ({ args: [key = ""] }, endpoint) => {
      const { viewer } = await callGraphql<Viewing>(endpoint, ownKeyDocument, {});
      if (viewer.key?.id !== (await apiKeyId(endpoint, key))) return undefined;
      const consequence = "This revokes the key that this command uses; it will let you in no more.";
      return { consequence, expected: viewer.key?.name ?? "", called: `the key's name, ${viewer.key?.name},` };
    },
    document: `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { ${keyFields} } } }`,
    variables: async ({ args: [key = ""] }, endpoint) => ({ input: { apiKeyId: await apiKeyId(endpoint, key) } }),
    result: "revokeApiKey.apiKey",
    columns: keyColumns,
  },
];
