/**
 * Clients of dynamic updates in the schema: what a key for each needs, and its configuration with a key that was just created, whose
 * secret is shown nowhere else.
 */
import { Arg, Field, FieldResolver, ObjectType, Query, Resolver, Root } from "type-graphql";
import { clientConfig, scopeFor, type UpdateClient, updateClients } from "../../../account/update-clients.ts";
import { Refusal } from "../../../errors.ts";
import { RecordTypeScalar } from "../../../scalars.ts";
import { readZone } from "../../../zone/domain.ts";
import { enumOf } from "../../enum.ts";
import { CreateTsigKeyPayload } from "./tsig-key.ts";

const Client = enumOf<UpdateClient>("UpdateClient", "A client of dynamic updates (RFC 2136).", {
  LEGO: "Lego, an ACME client.",
  CERTBOT: "Certbot with certbot-dns-rfc2136, an ACME client.",
  NSUPDATE: "The commands nsupdate and knsupdate.",
  EXTERNAL_DNS: "ExternalDNS of Kubernetes.",
  CERT_MANAGER: "The cert-manager of Kubernetes, an ACME client.",
  TERRAFORM: "Terraform's provider `dns`.",
  OCTODNS: "The provider octodns-bind of octoDNS.",
  DNSCONTROL: "The provider AXFRDDNS of DNSControl.",
});

@ObjectType({ description: "What the TSIG key of a client of dynamic updates must reach.", simpleResolvers: true })
class UpdateClientScope {
  @Field(() => Client, { description: "The client." })
  client!: UpdateClient;

  @Field(() => [String], {
    nullable: true,
    description: "The `owners` of its key, for an ACME client those of RFC 8555 §8.4; null is all.",
  })
  owners?: readonly string[] | null | undefined;

  @Field(() => [RecordTypeScalar], { nullable: true, description: "The `types` of its key; null is all." })
  types?: readonly string[] | null | undefined;

  @Field(() => Boolean, { description: "Whether it transfers zones." })
  transfer!: boolean;
}

@Resolver(() => CreateTsigKeyPayload)
export class UpdateClientResolver {
  @Query(() => [UpdateClientScope], {
    description: "The clients of dynamic updates that `createTsigKey` returns a configuration for.",
  })
  updateClients(): UpdateClientScope[] {
    return updateClients.map((client) => ({ client, ...scopeFor(client) }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "Configuration of a client that signs with the key, to paste. It contains the secret.",
  })
  config(
    @Root() { tsigKey, secret }: CreateTsigKeyPayload,
    @Arg("client", () => Client, { description: "The client." }) client: UpdateClient,
    @Arg("server", () => String, {
      description: "Where it reaches the name server, such as `192.0.2.1:53` or `[2001:db8::1]:53`.",
    })
    server: string,
    @Arg("zone", () => String, {
      nullable: true,
      description: "The zone in it, if it names one. Default: the first zone of the key.",
    })
    zone: string | null | undefined,
  ): string {
    const [first] = tsigKey.zones ?? [];
    const named = zone ?? tsigKey.zones?.find((each) => !each.includes("*")) ?? first;
    if (named === undefined)
      throw new Refusal("MISSING_FIELD", "zone is missing; the key has none.", { field: "zone" });
    const { name, algorithm } = tsigKey;
    return clientConfig(
      client,
      { name, algorithm, secret },
      { server, zone: named.includes("*") ? named : readZone(named) },
    );
  }
}
