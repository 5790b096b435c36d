/**
 * The commands for secondaries and TSIG keys that only run an operation; secondaries.ts and tsig.ts have the others.
 */
import { tsigKeyId } from "../service/identify.ts";
import { columns, queryAnswerText, servedText } from "../terminal/print.ts";
import { type CommandRow, list, mutation, operation } from "./command-row.ts";

const secondaryColumns = columns(
  "name, address, port, tsig key: tsigKey.name, required: requiredForLive, zones: ., last query: lastQuery.at, answer: lastQuery",
  { zones: servedText, answer: queryAnswerText },
);
const secondaryFields =
  "name address port tsigKey { name } requiredForLive joinedAt progress { served total } lastQuery { at zone answer }";
const moreSecondaryFields =
  "id notify allowUnsignedTransfer indirect lastNotify { at message } lastTransfer { at zone kind } lastTsigError { at message }";
const allSecondaryColumns = [
  ...secondaryColumns.slice(0, -1),
  ...columns(
    `answer to query: lastQuery, joined: joinedAt, notify, unsigned transfer: allowUnsignedTransfer, indirect,
    last notify: lastNotify.at, answer to notify: lastNotify.message, last transfer: lastTransfer.at,
    transferred zone: lastTransfer.zone, kind of transfer: lastTransfer.kind, tsig refused: lastTsigError.at,
    reason of refusal: lastTsigError.message, id`,
    { "answer to query": queryAnswerText },
  ),
];

const tsigColumns = columns(
  "name, algorithm, user: user.email, zones, owners, types, expires: expiresAt, revoked: revokedAt",
);
const tsigFields = "name algorithm user { email } zones owners types expiresAt revokedAt";

export const serverRows: readonly CommandRow[] = [
  {
    words: "secondary list",
    description: "list the name servers, and what each answered last",
    ...list("secondaries", secondaryFields, 1000),
    columns: secondaryColumns,
  },
  {
    words: "secondary show <name>",
    description: "show all that is known of a name server",
    document: `query ($name: String!) { secondary(by: { name: $name }) { ${secondaryFields} ${moreSecondaryFields} } }`,
    variables: ({ args: [name] }) => ({ name }),
    result: "secondary",
    columns: allSecondaryColumns,
  },
  operation({
    words: "secondary change <name>",
    description: "change a name server; what no option names stays",
    options: [
      ["--name <name>", "new name"],
      ["--address <address>", "new IPv4 or IPv6 address"],
      ["--port <port>", "new port"],
      ["--tsig-key <name>", "sign with this existing key"],
      ["--no-tsig", "sign nothing"],
      ["--notify", "send it NOTIFY"],
      ["--no-notify", "send it no NOTIFY"],
      ["--required", "a change is LIVE only with it"],
      ["--no-required", "a change can be LIVE without it"],
    ],
    needsOption: true,
    ...mutation("updateSecondary", `secondary { ${secondaryFields} }`, "secondary"),
    variables: async ({ args: [which], options }, endpoint) => {
      const { name, address, port, tsigKey, tsig, notify, required } = options;
      return {
        input: {
          by: { name: which },
          ...{ name, address, notify, requiredForLive: required },
          port: port === undefined ? undefined : Number(port),
          ...(tsigKey !== undefined && { tsigKeyId: await tsigKeyId(endpoint, tsigKey) }),
          ...(tsig === false && { tsigKeyId: null }),
        },
      };
    },
    columns: secondaryColumns,
  }),
  {
    words: "secondary remove <name>",
    description: "remove a name server: it gets no NOTIFY and may transfer nothing; its key stays",
    ...mutation("deleteSecondary", "deletedId"),
    variables: ({ args: [name] }) => ({ input: { by: { name } } }),
    text: (_row, { args: [name] }) => `${name} is removed.`,
  },
  {
    words: "tsig list",
    description: "list the TSIG keys, without their secrets",
    ...list("tsigKeys", tsigFields, 1000),
    columns: tsigColumns,
  },
  {
    words: "tsig revoke <name>",
    description: "revoke a TSIG key; what is signed with it is refused from now on",
    ...mutation("revokeTsigKey", `tsigKey { ${tsigFields} }`, "tsigKey"),
    variables: async ({ args: [name = ""] }, endpoint) => ({ input: { tsigKeyId: await tsigKeyId(endpoint, name) } }),
    columns: tsigColumns,
  },
];
