/**
 * The clients of dynamic updates that a TSIG key is made for: what each needs to reach, as the service says it, and their configurations
 * with a new key, which come with its secret and never again.
 */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type {
  CreateTsigKeyInput,
  CreateTsigKeyMutation,
  TsigAlgorithm,
  TsigClientsQuery,
  UpdateClient,
} from "../api/generated/graphql.ts";
import { Refused, RefusedField } from "../api/refused.ts";
import { run } from "../api/run.ts";

const clientsQuery = graphql(`
  query TsigClients {
    updateClients { client owners types transfer }
    service { dnsAddress dnsPort tsigAlgorithms }
  }
`);

export type ClientScope = NonNullable<TsigClientsQuery["updateClients"]>[number];
export type Service = NonNullable<TsigClientsQuery["service"]>;

export const clientsOptions = queryOptions({
  queryKey: ["tsig-clients"],
  queryFn: async ({ signal }) => {
    const { updateClients, service } = await run(clientsQuery, {}, signal);
    return { clients: updateClients ?? [], service: service as Service };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const clientNames: Readonly<Record<UpdateClient, string>> = {
  LEGO: "lego",
  CERTBOT: "certbot",
  NSUPDATE: "nsupdate",
  EXTERNAL_DNS: "external-dns",
  CERT_MANAGER: "cert-manager",
  TERRAFORM: "Terraform",
  OCTODNS: "octoDNS",
  DNSCONTROL: "DNSControl",
};

export const algorithmName = (algorithm: TsigAlgorithm) => algorithm.toLowerCase().replaceAll("_", "-");

export const isAlike = (a: ClientScope, b: ClientScope) =>
  a.transfer === b.transfer && String(a.owners) === String(b.owners) && String(a.types) === String(b.types);

/** The DNS of the service, as far as the browser knows it: where it listens on every address, at the host of the page. */
export function dnsServer({ dnsAddress, dnsPort }: Service): string {
  const host = ["0.0.0.0", "::"].includes(dnsAddress) ? location.hostname : dnsAddress;
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${dnsPort}`;
}

const createKey = graphql(`
  mutation CreateTsigKey($input: CreateTsigKeyInput!, $server: String!, $zone: String!) {
    createTsigKey(input: $input) {
      tsigKey { id name algorithm }
      secret
      notices { message }
      LEGO: config(client: LEGO, server: $server, zone: $zone)
      CERTBOT: config(client: CERTBOT, server: $server, zone: $zone)
      NSUPDATE: config(client: NSUPDATE, server: $server, zone: $zone)
      EXTERNAL_DNS: config(client: EXTERNAL_DNS, server: $server, zone: $zone)
      CERT_MANAGER: config(client: CERT_MANAGER, server: $server, zone: $zone)
      TERRAFORM: config(client: TERRAFORM, server: $server, zone: $zone)
      OCTODNS: config(client: OCTODNS, server: $server, zone: $zone)
      DNSCONTROL: config(client: DNSCONTROL, server: $server, zone: $zone)
    }
  }
`);

export type CreatedTsigKey = NonNullable<CreateTsigKeyMutation["createTsigKey"]>;

/** The zone that a configuration names where the key has none that it could name. */
const exampleZone = "example.com";

/** Creates a key; a secret that came is returned also where a configuration is refused, since it comes this once. */
export async function createTsigKey(input: CreateTsigKeyInput, server: string): Promise<CreatedTsigKey | null> {
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i.test(server))
    throw new RefusedField("server", "Write an address and a port, such as 192.0.2.1:53.");
  const zone = input.zones?.find((each) => !each.includes("*")) ?? exampleZone;
  try {
    return (await run(createKey, { input, server, zone })).createTsigKey;
  } catch (error) {
    const created = error instanceof Refused && (error.data as CreateTsigKeyMutation | undefined)?.createTsigKey;
    if (created) return created;
    throw error;
  }
}
