/** `secondary add` registers a name server; `secondary config` prints the stanza that makes it follow this service. */
import { type CommandRow, command } from "./command-rows/command-row.ts";
import { callGraphql, type Endpoint, type VariablesOf } from "./service/client.ts";
import { findTsigKey, tsigKeyId } from "./service/identify.ts";
import { print } from "./terminal/print.ts";

export const addDocument = `mutation ($input: CreateSecondaryInput!) {
  createSecondary(input: $input) { secondary { id name address port tsigKey { name } } } }`;

export const addSecondaryRow: CommandRow = command({
  words: "secondary add <name> <address> <port>",
  description: "register a name server, with a TSIG key of its own",
  options: [
    ["--tsig-key <name>", "sign with this existing key"],
    ["--no-tsig", "sign nothing"],
    ["--no-notify", "send it no NOTIFY"],
    ["--no-required", "a change can be LIVE without it"],
    ["--allow-unsigned-transfer", "let it transfer zones without TSIG, by its address"],
    ["--indirect", "it transfers from another name server, and its copies are compared record by record"],
  ],
  run: async ({ args: [name = "", address = "", port = ""], options }, { endpoint }) => {
    const { tsigKey, tsig, notify, required, allowUnsignedTransfer = false, indirect = false } = options;
    if (!/^\d{1,5}$/.test(port)) throw new Error(`port: "${port}" is not a port; write a number from 1 to 65535.`);
    const key = tsig ? await keyFor(endpoint, name, tsigKey) : {};
    const settings = { notify, requiredForLive: required, allowUnsignedTransfer, indirect };
    const input = { name, address, port: Number(port), ...key, ...settings };
    const { secondary } = (await callGraphql(endpoint, addDocument, { input })).createSecondary;
    const signature = secondary.tsigKey ? `signs with the key ${secondary.tsigKey.name}` : "signs nothing";
    const next = indirect
      ? "Let it send its zones to this service (AXFR), which compares them with its own."
      : `Its configuration: zonesmith secondary config '${name.replaceAll("'", "'\\''")}' --server knot`;
    const sentence = `${name} at ${secondary.address} port ${secondary.port} is registered; it ${signature}.`;
    print(options.json, secondary, `${sentence}\n${next}`);
  },
});

/**
 * The TSIG key for a new secondary: the one that the user named, otherwise one named after the secondary. A key of that name is used again
 * if it exists from an earlier registration. If it is revoked or has an expiry, it is left alone and the name with the next number is
 * tried.
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

export const configDocument = `query ($name: String!, $server: SecondaryServer!, $primaries: [String!]) {
  secondaryConfig(by: { name: $name }, server: $server, primaries: $primaries) }`;

const isLoopback = (address: string) => /^\[?(127\.|::1\b|localhost\b)/.test(address);

export const secondaryConfigRow: CommandRow = command({
  words: "secondary config <name>",
  description: "print the stanza to paste into the server's configuration, with the secret of its key",
  options: [
    [
      "--server <server>",
      "what it runs",
      (option) => option.choices(["knot", "bind", "nsd", "powerdns"]).makeOptionMandatory(),
    ],
    [
      "--primary <address[:port]>",
      "where it reaches an instance of this service; repeat it for each (default: where those that run listen)",
      (option) => option.argParser((value, before: readonly string[] = []) => [...before, value]),
    ],
  ],
  run: async ({ args: [name = ""], options }, { endpoint }) => {
    const primaries = (options.primary ?? []) as readonly string[];
    const server = options.server?.toUpperCase() as VariablesOf<typeof configDocument>["server"];
    const { service, secondary } = await callGraphql(endpoint, placeDocument, { name });
    const { secondaryConfig } = await callGraphql(endpoint, configDocument, { name, server, primaries });
    const used = (primaries.length > 0 ? primaries : [service.dnsAddress]).find(isLoopback);
    if (used !== undefined && !isLoopback(secondary.address))
      console.error(
        `warning: ${used} leads ${secondary.address} to itself and not to this service; name an address that it reaches, such as --primary 192.0.2.1, and set DNS_LISTEN.`,
      );
    process.stdout.write(secondaryConfig);
  },
});
