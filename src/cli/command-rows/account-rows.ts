/** The commands for users, their quotas, and API keys. */
import { callGraphql, type DataOf } from "../service/client.ts";
import { apiKeyId, selectUser, userId } from "../service/identify.ts";
import { columns } from "../terminal/print.ts";
import { type CommandRow, list, mutation, operation } from "./command-row.ts";

/** The options that set a limit, by the quota's name in GraphQL. */
const limitOptions = {
  domains: { flag: "domains", counts: "domains of the user" },
  recordsPerDomain: { flag: "records-per-domain", counts: "records of each domain" },
  records: { flag: "records", counts: "records of all domains" },
  changesPerDay: { flag: "changes", counts: "changes a day, UTC" },
};

function limitsOf(options: Readonly<Record<string, unknown>>): object {
  const written = Object.entries(limitOptions).flatMap(([name, { flag }]) => {
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

/** The usage and the limit. */
function limitText({ limit, isDefault, usage }: Quota): string {
  const shown = limit === null ? "no limit" : `${usage === null ? "" : "of "}${limit}`;
  const source = isDefault ? "" : ", set for the user";
  return `${[usage, shown].filter((each) => each !== null).join(limit === null ? ", " : " ")}${source}`;
}

const userColumns = columns("email, id, created: createdAt");
const userFields = "id email createdAt";

const userColumnsWithQuota = [
  ...userColumns,
  ...columns(
    `domains: quota.domains, records: quota.records, records of a domain: quota.recordsPerDomain,
    changes today: quota.changesPerDay`,
    { domains: limitText, records: limitText, "records of a domain": limitText, "changes today": limitText },
  ),
];
const limit = "{ limit isDefault usage }";
const userFieldsWithQuota =
  `${userFields} quota { domains ${limit} recordsPerDomain ${limit} records ${limit} changesPerDay ${limit} }` as const;
export const shownUserDocument = `query ($by: UserSelector!) { user(by: $by) { ${userFieldsWithQuota} } }` as const;
type Quota = DataOf<typeof shownUserDocument>["user"]["quota"]["records"];

const keyColumns = columns(
  `name, fingerprint, id, user: user.email, read-only: readOnly, created: createdAt, last used: lastUsedAt,
  expires: expiresAt, revoked: revokedAt`,
  // The log and the journal show as many digits.
  { fingerprint: (fingerprint: string) => fingerprint.slice(0, 8) },
);
const keyFields = "id name fingerprint user { email } readOnly createdAt lastUsedAt expiresAt revokedAt";

export const owningDocument = "query ($by: UserSelector!) { user(by: $by) { email domains(first: 1) { totalCount } } }";
export const ownKeyDocument = "{ viewer { key { id name } } }";

export const accountRows: readonly CommandRow[] = [
  {
    words: "user list",
    description: "list the users",
    ...list("users", userFields, 1000),
    columns: userColumns,
  },
  {
    words: "user show <user>",
    description: "show a user, who is named by e-mail address or id",
    document: shownUserDocument,
    variables: ({ args: [user = ""] }) => selectUser(user),
    result: "user",
    columns: userColumnsWithQuota,
  },
  {
    words: "user limit <user>",
    description: "set quotas of a user: a number, none, or default, which is that of the service's settings",
    options: Object.entries(limitOptions).map(([name, { flag, counts }]) => [
      `--${flag} <limit>`,
      `${counts} (\`${name}\` of GraphQL)`,
    ]),
    needsOption: true,
    ...mutation("setUserQuota", `user { ${userFieldsWithQuota} }`, "user"),
    variables: ({ args: [user = ""], options }) => ({ input: { ...limitsOf(options), ...selectUser(user) } }),
    columns: userColumnsWithQuota,
  },
  {
    words: "user add <email>",
    description: "create a user",
    ...mutation("createUser", `user { ${userFields} }`, "user"),
    variables: ({ args: [email] }) => ({ input: { email } }),
    columns: userColumns,
  },
  {
    words: "user change <user> <email>",
    description: "give a user another e-mail address",
    ...mutation("updateUser", `user { ${userFields} }`, "user"),
    variables: ({ args: [user = "", email] }) => ({ input: { ...selectUser(user), email } }),
    columns: userColumns,
  },
  operation({
    words: "user remove <user>",
    description: "delete a user with the user's keys; refused while the user owns domains, without an option",
    options: [
      ["--delete-domains", "delete the domains too"],
      ["--domains-to <user>", "give the domains to this user"],
    ],
    question: async ({ args: [name = ""], options: { deleteDomains } }, endpoint) => {
      if (!deleteDomains) return undefined;
      const { user } = await callGraphql(endpoint, owningDocument, selectUser(name));
      const { totalCount } = user.domains;
      if (totalCount === 0) return undefined;
      const domains = totalCount === 1 ? "domain" : "domains";
      const consequence = `This deletes ${user.email} with ${totalCount} ${domains} and all their records.`;
      return { consequence, expected: user.email, called: "the user's e-mail address" };
    },
    advice: { USER_HAS_DOMAINS: "--delete-domains or --domains-to <user>" },
    ...mutation("deleteUser", "deletedId"),
    variables: async ({ args: [user = ""], options: { deleteDomains, domainsTo } }, endpoint) => ({
      input: {
        ...selectUser(user),
        ...(deleteDomains && { onDomains: "DELETE" }),
        ...(domainsTo && { onDomains: "TRANSFER", transferToUserId: await userId(endpoint, domainsTo) }),
      },
    }),
    text: (_row, { args: [user] }) => `${user} is deleted.`,
  }),
  operation({
    words: "key list",
    description: "list the API keys",
    options: [["--user <user>", "only those of this user"]],
    ...list("apiKeys", keyFields, 1000, "ApiKeyFilter"),
    variables: async ({ options: { user } }, endpoint) =>
      user ? { filter: { userId: await userId(endpoint, user) } } : {},
    columns: keyColumns,
  }),
  operation({
    words: "key add <name>",
    alias: "create",
    description: "create an API key and print it, this once; without --user it is an administrator's",
    options: [
      ["--user <user>", "the user whose key it is, by e-mail address or id"],
      ["--read-only", "it may only read"],
      ["--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z (default: never)"],
    ],
    ...mutation("createApiKey", `key apiKey { ${keyFields} }`),
    variables: async ({ args: [name], options: { user, readOnly = false, expires } }, endpoint) => ({
      input: {
        name,
        readOnly,
        userId: user ? await userId(endpoint, user) : undefined,
        expiresAt: expires || undefined,
      },
    }),
    text: ({ key }) => String(key),
  }),
  {
    words: "key revoke <key>",
    description: "revoke an API key, which is named by name or id; it is refused from now on",
    question: async ({ args: [key = ""] }, endpoint) => {
      const { viewer } = await callGraphql(endpoint, ownKeyDocument, {});
      if (viewer.key?.id !== (await apiKeyId(endpoint, key))) return undefined;
      const consequence = "This revokes the key that this command uses; it will let you in no more.";
      return { consequence, expected: viewer.key.name, called: `the key's name, ${viewer.key.name},` };
    },
    ...mutation("revokeApiKey", `apiKey { ${keyFields} }`, "apiKey"),
    variables: async ({ args: [key = ""] }, endpoint) => ({ input: { apiKeyId: await apiKeyId(endpoint, key) } }),
    columns: keyColumns,
  },
];
