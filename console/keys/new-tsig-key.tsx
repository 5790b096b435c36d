/**
 * A new TSIG key, with the scope that the client needs which it is for. The secret is shown once.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CreateTsigKeyInput, TsigAlgorithm, UpdateClient } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { RefusedField } from "../api/refused.ts";
import { useViewer } from "../api/viewer.ts";
import { messagesOf } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Choice, Field, Select, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { CopiedLines } from "../parts/page/lines.tsx";
import { Reading } from "../parts/page/list.tsx";
import { Segments } from "../parts/page/page.tsx";
import { Secret } from "../parts/page/secret.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import { namedUser, UserField } from "../users/user-field.tsx";
import { EndsField, endOf } from "./ends-field.tsx";
import {
  type ClientScope,
  type CreatedTsigKey,
  clientNames,
  clientsOptions,
  createTsigKey,
  dnsServer,
  isAlike,
  type Service,
} from "./tsig-clients.ts";

/** What a key is for: a client of dynamic updates, or the transfers of a name server. */
type Purpose = UpdateClient | "TRANSFERS";

interface NewTsigKeyProps {
  /** What it is to update, where that is known. */
  readonly scope: { readonly zones?: string; readonly owners?: string; readonly types?: string };
  readonly onClose: () => void;
}

export function NewTsigKey({ scope, onClose }: NewTsigKeyProps) {
  const { data, error } = useQuery(clientsOptions);
  if (data) return <TsigKeyForm clients={data.clients} service={data.service} scope={scope} onClose={onClose} />;
  return (
    <Dialog title="New TSIG key" onClose={onClose}>
      <Reading query={{ error }} />
    </Dialog>
  );
}

interface FormProps extends NewTsigKeyProps {
  readonly clients: readonly ClientScope[];
  readonly service: Service;
}

const algorithmName = (algorithm: TsigAlgorithm) => algorithm.toLowerCase().replaceAll("_", "-");

/** What a purpose needs the key to reach, as it is written in the fields. */
const scopeOf = (clients: readonly ClientScope[], purpose: Purpose) => {
  const { owners, types, transfer } = clients.find(({ client }) => client === purpose) ?? { transfer: true };
  return { owners: owners?.join(" ") ?? "", types: types?.join(" ") ?? "", transfer };
};

function TsigKeyForm({ clients, service, scope, onClose }: FormProps) {
  const { isAdministrator, user } = useViewer();
  const [purpose, setPurpose] = useState<Purpose>("LEGO");
  const [form, setForm] = useState({
    name: "",
    email: "",
    zones: scope.zones ?? "",
    ...scopeOf(clients, "LEGO"),
    ...(scope.zones && { owners: scope.owners ?? "", types: scope.types ?? "" }),
    days: "",
    server: dnsServer(service),
  });
  const [algorithm, setAlgorithm] = useState<TsigAlgorithm>("HMAC_SHA256");
  const set = (changed: Partial<typeof form>) => setForm((before) => ({ ...before, ...changed }));
  const choosePurpose = (value: Purpose) => {
    setPurpose(value);
    set({ ...scopeOf(clients, value), ...(value === "TRANSFERS" && { zones: "" }) });
  };
  const purposes = clients.map(({ client }) => [client, clientNames[client]] as const);
  const chosen = clients.find(({ client }) => client === purpose);
  const create = useForm({
    fields: ["name", "userId", "zones", "owners", "types", "expiresAt", "server"],
    gcTime: 0,
    mutationFn: async () => {
      const userId = user?.id ?? (form.email.trim() === "" ? undefined : await namedUser(form.email.trim()));
      const [zones, owners, types] = [form.zones, form.owners, form.types].map(listedWords) as [
        string[],
        string[],
        string[],
      ];
      if (chosen && !userId && zones.length === 0)
        throw new RefusedField("zones", "Name the zones that it may update, or their user.");
      const input: CreateTsigKeyInput = {
        name: form.name.trim(),
        algorithm,
        transfer: form.transfer,
        ...(userId && { userId }),
        ...(zones.length > 0 && { zones }),
        ...(owners.length > 0 && { owners }),
        ...(types.length > 0 && { types }),
        ...(form.days && { expiresAt: endOf(form.days) }),
      };
      return createTsigKey(input, form.server.trim());
    },
    onSuccess: () => readAgain("tsig-keys"),
  });
  const created = create.data;
  if (created) {
    const alike = clients.filter((each) => chosen && isAlike(each, chosen)).map(({ client }) => client);
    return <TsigSecret created={created} client={chosen?.client} clients={alike} onClose={onClose} />;
  }
  return (
    <FormDialog title="New TSIG key" action="Create" form={create} onClose={onClose}>
      <Field label="For">
        <Select
          value={purpose}
          options={[...purposes, ["TRANSFERS", "transfers of a name server"]]}
          onChange={choosePurpose}
        />
      </Field>
      <Field
        label="Name"
        error={create.errorOf("name")}
        hint="A domain name, such as lego.example.com; the client names the key so."
      >
        <TextInput required value={form.name} onChange={(name) => set({ name })} />
      </Field>
      {isAdministrator && (
        <UserField
          error={create.errorOf("userId")}
          hint={`The e-mail address of the user whose zones it may ${chosen ? "update, unless they are named below" : "transfer; empty for the key of a name server"}.`}
          value={form.email}
          onChange={(email) => set({ email })}
        />
      )}
      {chosen && (
        <>
          <Field
            label="Zones"
            error={create.errorOf("zones")}
            hint={`That it may update, separated by blanks; * is any characters. ${isAdministrator ? "Empty for all of the user above." : "Empty for all of yours."}`}
          >
            <TextInput value={form.zones} onChange={(zones) => set({ zones })} />
          </Field>
          <Field label="Owners" error={create.errorOf("owners")} hint="Relative to the zone; empty for all.">
            <TextInput value={form.owners} onChange={(owners) => set({ owners })} />
          </Field>
          <Field label="Types" error={create.errorOf("types")} hint="Such as TXT; empty for all.">
            <TextInput value={form.types} onChange={(types) => set({ types })} />
          </Field>
          <Choice
            label="It may also transfer these zones"
            hint={`Read them whole, by AXFR or IXFR. ${clientNames[chosen.client]} ${chosen.transfer ? "needs that, to see which records are there." : "does not need it."}`}
            checked={form.transfer}
            onChange={(transfer) => set({ transfer })}
          />
          <Field
            label="This service, as the client reaches it"
            error={create.errorOf("server")}
            hint="The address and port of DNS, for its configuration."
          >
            <TextInput value={form.server} onChange={(server) => set({ server })} />
          </Field>
        </>
      )}
      <Field label="Algorithm">
        <Select
          value={algorithm}
          options={service.tsigAlgorithms.map((value) => [value, algorithmName(value)])}
          onChange={setAlgorithm}
        />
      </Field>
      <EndsField days={form.days} error={create.errorOf("expiresAt")} onChange={(days) => set({ days })} />
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
      {algorithm.toLowerCase().replaceAll("_", "-")};{" "}
      {client ? "the configuration of its client is below." : "a name server's key is in its stanza too."}{" "}
      {messagesOf(created.notices).join(" ")}
    </Secret>
  );
}
