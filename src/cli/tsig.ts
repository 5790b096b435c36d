/**
 * `tsig add`: creates a TSIG key and prints the configuration of its client. The service says which scope the client needs.
 */
import { isWildcard } from "../net/listening-address.ts";
import { type CommandRow, command } from "./command-rows/command-row.ts";
import { callGraphql, type Endpoint, type VariablesOf } from "./service/client.ts";
import { userId } from "./service/identify.ts";
import { print } from "./terminal/print.ts";

export const createTsigDocument = `mutation ($input: CreateTsigKeyInput!, $client: UpdateClient!, $server: String!) {
  createTsigKey(input: $input) { secret tsigKey { name algorithm } config(client: $client, server: $server) } }`;

export const scopesDocument = "{ updateClients { client owners types transfer } }";

export const clients = [
  "lego",
  "certbot",
  "nsupdate",
  "external-dns",
  "cert-manager",
  "terraform",
  "octodns",
  "dnscontrol",
] as const;

type Client = VariablesOf<typeof createTsigDocument>["client"];
type Algorithm = VariablesOf<typeof createTsigDocument>["input"]["algorithm"];

export const clientName = (client: string) => client.toUpperCase().replaceAll("-", "_") as Client;

export const dnsDocument = "{ service { dnsAddress dnsPort } }";

export const tsigRow: CommandRow = command({
  words: "tsig add",
  alias: "create",
  description: "create a key of dynamic updates and print the configuration of the client it is for",
  options: [
    ["--for <client>", clients.join(", "), (option) => option.makeOptionMandatory()],
    ["--zone <zone...>", "the zones it may update"],
    ["--name <name>", "the key's name (default: <client>.<first zone>)"],
    ["--user <user>", "the user it belongs to, by e-mail address or id (default: no user)"],
    ["--algorithm <algorithm>", "hmac-sha256, hmac-sha384 or hmac-sha512", (option) => option.default("hmac-sha256")],
    ["--server <address:port>", "where the client reaches the service's DNS (default: where it listens)"],
    ["--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z (default: never)"],
    ["--exempt-from-review", "it updates zones that demand review without one; administrators only"],
  ],
  run: async ({ options }, { endpoint }) => {
    const { for: program = "", zone: zones = [], user, expires, exemptFromReview } = options;
    if (!(clients as readonly string[]).includes(program))
      throw new Error(`There is no configuration for ${program}; write one of ${clients.join(", ")}.`);
    const [zone] = zones;
    if (zone === undefined)
      throw new Error("--zone is missing; name the zone that the key is for: --zone example.com.");
    const server = options.server ?? (await dnsServer(endpoint));
    if (!/^(\[[0-9a-f:.]+\]|[\w.-]+):\d+$/i.test(server))
      throw new Error("--server is not an address and a port; write them such as '192.0.2.1:53'.");
    const client = clientName(program);
    const { updateClients } = await callGraphql(endpoint, scopesDocument, {});
    const { client: _client, ...scope } = updateClients.find((each) => each.client === client) ?? { client };
    const input = {
      name: options.name ?? `${program}.${zone}`,
      algorithm: options.algorithm?.toUpperCase().replaceAll("-", "_") as Algorithm,
      zones,
      userId: user ? await userId(endpoint, user) : undefined,
      expiresAt: expires || undefined,
      exemptFromReview,
      ...scope,
    };
    const { createTsigKey } = await callGraphql(endpoint, createTsigDocument, { input, client, server });
    const { secret, tsigKey, config } = createTsigKey;
    const algorithm = tsigKey.algorithm.toLowerCase().replaceAll("_", "-");
    print(options.json, { ...tsigKey, algorithm, secret, server }, config);
  },
});

/**
 * The address and port of the service's name server. If it listens on every address, the host of the service's URL stands for the address.
 */
async function dnsServer(endpoint: Endpoint): Promise<string> {
  const { service } = await callGraphql(endpoint, dnsDocument, {});
  const host = isWildcard(service.dnsAddress) ? new URL(endpoint.url).hostname : service.dnsAddress;
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${service.dnsPort}`;
}
