/**
 * The TSIG keys that the viewer sees: what each may update, and whether it may transfer; and a new one for a client of dynamic updates,
 * whose configuration comes with its secret and never again.
 */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type {
  CreateTsigKeyInput,
  CreateTsigKeyMutation,
  TsigAlgorithm,
  TsigClientsQuery,
  UpdateClient,
} from "../api/generated/graphql.ts";
import { readAgain, readOptions } from "../api/queries.ts";
import { act, graphql, Refused, RefusedField, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { messagesOf } from "../parts/control/announce.tsx";
import { Field, Select } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { CopiedLines, Secret } from "../parts/page/copied.tsx";
import { CheckField, FormDialog, SelectField, TextField, useForm } from "../parts/page/form.tsx";
import { Read } from "../parts/page/list.tsx";
import { Segments } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { listedOrNone } from "../parts/text/listed-words.ts";
import { ownerIfAny, UserField } from "../users/user-field.tsx";
import { endIn, KeyList, type ListedTsigKey, lifetimes, tsigKeysOptions } from "./key-list.tsx";

const route = getRouteApi("/shell/settings/tsig");

export function TsigKeys() {
  const search = route.useSearch();
  return (
    <KeyList
      kind="TSIG key"
      query={useInfiniteQuery(tsigKeysOptions)}
      about="They sign dynamic updates, as lego, certbot, external-dns and nsupdate send them, and the transfers of name servers."
      columns={[
        [
          "Name",
          ({ name, algorithm }) => (
            <>
              <code>{name}</code> <span className={`${look.soft} ${look.nowrap}`}>{algorithmName(algorithm)}</span>
            </>
          ),
          { className: table.name },
        ],
        ["Acts as", ({ user }) => user?.email ?? "no user", { isCut: true }],
        ["May update", scopeText, { className: look.anywhere, label: "updates" }],
        ["May transfer", ({ transfer }) => (transfer ? "yes" : "no"), { label: "transfers" }],
      ]}
      nameOf={({ name }) => name}
      form={(close) => <NewTsigKey scope={search} onClose={close} />}
      list="tsig-keys"
      revoke={({ id }) => act("revokeTsigKey", { tsigKeyId: id })}
      warning={() => "Dynamic updates and transfers that it signs are refused from now on."}
    />
  );
}

/** What a key may write, as a sentence: which types, at which owners, in which zones. */
function scopeText({ zones, owners, types, user }: ListedTsigKey): string {
  if (!zones && !user) return "nothing";
  const what = types ? types.join(", ") : "all types";
  const where = owners ? ` at ${owners.join(", ")}` : "";
  return `${what}${where} in ${zones ? zones.join(", ") : "all of the user's zones"}`;
}

/** What a key is for: a client of dynamic updates, or the transfers of a name server. */
type Purpose = UpdateClient | "TRANSFERS";

interface NewTsigKeyProps {
  /** What it is to update, where that is known. */
  readonly scope: { readonly zones?: string; readonly owners?: string; readonly types?: string };
  readonly onClose: () => void;
}

function NewTsigKey({ scope, onClose }: NewTsigKeyProps) {
  return (
    <Read query={useQuery(clientsOptions)} title="New TSIG key" onClose={onClose}>
      {(read) => <TsigKeyForm {...read} scope={scope} onClose={onClose} />}
    </Read>
  );
}

interface FormProps extends NewTsigKeyProps {
  readonly clients: readonly ClientScope[];
  readonly service: Service;
}

/** What a purpose needs the key to reach, as it is written in the fields. */
const scopeOf = (clients: readonly ClientScope[], purpose: Purpose) => {
  const { owners, types, transfer } = clients.find(({ client }) => client === purpose) ?? { transfer: true };
  return { owners: owners?.join(" ") ?? "", types: types?.join(" ") ?? "", transfer };
};

function TsigKeyForm({ clients, service, scope, onClose }: FormProps) {
  const viewer = useViewer();
  const { isAdministrator } = viewer;
  const purposes = clients.map(({ client }) => [client, clientNames[client]] as const);
  const create = useForm({
    values: {
      purpose: "LEGO" as Purpose,
      name: "",
      userId: "",
      zones: scope.zones ?? "",
      ...scopeOf(clients, "LEGO"),
      ...(scope.zones && { owners: scope.owners ?? "", types: scope.types ?? "" }),
      server: dnsServer(service),
      algorithm: "HMAC_SHA256" as TsigAlgorithm,
      expiresAt: "",
    },
    gcTime: 0,
    mutationFn: async ({ name, algorithm, transfer, userId: email, server, expiresAt, ...written }) => {
      const userId = await ownerIfAny(viewer, email);
      const [zones, owners, types] = [written.zones, written.owners, written.types].map(listedOrNone);
      if (chosen && !userId && !zones)
        throw new RefusedField("zones", "Name the zones that it may update, or their user.");
      const limits = { zones, owners, types, transfer };
      return createTsigKey({ name, algorithm, userId, ...limits, expiresAt: endIn(expiresAt) }, server);
    },
    onSuccess: () => readAgain("tsig-keys"),
  });
  const { purpose } = create.values;
  const chosen = clients.find(({ client }) => client === purpose);
  const created = create.data;
  if (created) {
    const alike = clients.filter((each) => chosen && isAlike(each, chosen)).map(({ client }) => client);
    return <TsigSecret created={created} client={chosen?.client} clients={alike} onClose={onClose} />;
  }
  const choosePurpose = (value: Purpose) =>
    create.set({ purpose: value, ...scopeOf(clients, value), ...(value === "TRANSFERS" && { zones: "" }) });
  return (
    <FormDialog title="New TSIG key" action="Create" form={create} onClose={onClose}>
      <Field label="For">
        <Select
          value={purpose}
          options={[...purposes, ["TRANSFERS", "transfers of a name server"]]}
          onChange={choosePurpose}
        />
      </Field>
      <TextField
        name="name"
        label="Name"
        hint="A domain name, such as lego.example.com; the client names the key so."
        required
      />
      {isAdministrator && (
        <UserField
          hint={`The e-mail address of the user whose zones it may ${chosen ? "update, unless they are named below" : "transfer; empty for the key of a name server"}.`}
        />
      )}
      {chosen && (
        <>
          <TextField
            name="zones"
            label="Zones"
            hint={`That it may update, separated by blanks; * is any characters. ${isAdministrator ? "Empty for all of the user above." : "Empty for all of yours."}`}
          />
          <TextField name="owners" label="Owners" hint="Relative to the zone; empty for all." />
          <TextField name="types" label="Types" hint="Such as TXT; empty for all." />
          <CheckField
            name="transfer"
            label="It may also transfer these zones"
            hint={`Read them whole, by AXFR or IXFR. ${clientNames[chosen.client]} ${chosen.transfer ? "needs that, to see which records are there." : "does not need it."}`}
          />
          <TextField
            name="server"
            label="This service, as the client reaches it"
            hint="The address and port of DNS, for its configuration."
          />
        </>
      )}
      <SelectField
        name="algorithm"
        label="Algorithm"
        options={service.tsigAlgorithms.map((value) => [value, algorithmName(value)])}
      />
      <SelectField name="expiresAt" label="Ends" options={lifetimes} />
    </FormDialog>
  );
}

interface TsigSecretProps {
  readonly created: CreatedTsigKey;
  /** The client that the key is for; undefined for a name server. */
  readonly client: UpdateClient | undefined;
  /** The clients that need to reach the same. */
  readonly clients: readonly UpdateClient[];
  readonly onClose: () => void;
}

/** A new TSIG key: its secret and the configuration of its client, shown once. */
function TsigSecret({ created, client: first, clients, onClose }: TsigSecretProps) {
  const [client, setClient] = useState(first);
  const { name, algorithm } = created.tsigKey;
  const config = client && created[client];
  const options = clients.map((value) => ({ value, label: clientNames[value] }));
  const configuration = client && config && (
    <>
      <Segments label="Client" value={client} onChange={setClient} options={options} />
      <CopiedLines label="Configuration" text={config} what={`the configuration of ${clientNames[client]}`} />
    </>
  );
  return (
    <Secret title={`Key ${name}`} secret={created.secret} what="the secret" below={configuration} onClose={onClose}>
      {algorithmName(algorithm)};{" "}
      {client ? "the configuration of its client is below." : "a name server's key is in its stanza too."}{" "}
      {messagesOf(created.notices).join(" ")}
    </Secret>
  );
}

const clientsQuery = graphql(`
  query TsigClients { updateClients { client owners types transfer } service { dnsAddress dnsPort tsigAlgorithms } }
`);

type ClientScope = NonNullable<TsigClientsQuery["updateClients"]>[number];
export type Service = NonNullable<TsigClientsQuery["service"]>;

const clientsOptions = {
  ...readOptions(["tsig-clients"], clientsQuery, {}, ({ updateClients, service }) => ({
    clients: updateClients ?? [],
    service: service as Service,
  })),
  staleTime: Number.POSITIVE_INFINITY,
};

const clientNames: Readonly<Record<UpdateClient, string>> = {
  LEGO: "lego",
  CERTBOT: "certbot",
  NSUPDATE: "nsupdate",
  EXTERNAL_DNS: "external-dns",
  CERT_MANAGER: "cert-manager",
  TERRAFORM: "Terraform",
  OCTODNS: "octoDNS",
  DNSCONTROL: "DNSControl",
};

const algorithmName = (algorithm: TsigAlgorithm) => algorithm.toLowerCase().replaceAll("_", "-");

const isAlike = (a: ClientScope, b: ClientScope) =>
  a.transfer === b.transfer && String(a.owners) === String(b.owners) && String(a.types) === String(b.types);

/** The DNS of the service, as far as the browser knows it: where it listens on every address, at the host of the page. */
function dnsServer({ dnsAddress, dnsPort }: Service): string {
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

type CreatedTsigKey = NonNullable<CreateTsigKeyMutation["createTsigKey"]>;

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
