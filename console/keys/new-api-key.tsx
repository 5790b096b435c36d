/**
 * A new API key: what it is for, whose it is, and what it may do. The key itself is shown once.
 */
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Choice, Field, Select, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Secret } from "../parts/page/secret.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import { namedUser, UserField } from "../users/user-field.tsx";
import { EndsField, endOf, lifetimes } from "./ends-field.tsx";

const createKey = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      apiKey { id name }
      key
    }
  }
`);

/** Whose a key is that an administrator makes: it is chosen, since an administrator's may do everything. */
const owners = [
  ["", "Choose whose it is"],
  ["USER", "a user's, for the zones of that user"],
  ["ADMINISTRATOR", "an administrator's, for everything"],
] as const;

/** What a key may do, as a sentence. */
function mayText(whose: string, readOnly: boolean, zones: readonly string[], days: string): string {
  const until = lifetimes.find(([value]) => days !== "" && value === days)?.[1].replace(/^in/, "for");
  const what = zones.length > 0 ? zones.join(", ") : whose;
  return `It may ${readOnly ? "read" : "read and write"} ${what}, ${until ?? "until it is revoked"}.`;
}

export function NewApiKey({ onClose }: { readonly onClose: () => void }) {
  const viewer = useViewer();
  const [name, setName] = useState("");
  const [whose, setWhose] = useState<(typeof owners)[number][0]>(viewer.isAdministrator ? "" : "USER");
  const [email, setEmail] = useState("");
  const [zones, setZones] = useState("");
  const [readOnly, setReadOnly] = useState(false);
  const [days, setDays] = useState("");
  const isOfUser = whose === "USER";
  const limited = isOfUser ? listedWords(zones) : [];
  const create = useForm({
    fields: ["name", "userId", "zones", "expiresAt"],
    gcTime: 0,
    mutationFn: async () => {
      const userId = viewer.user?.id ?? (isOfUser ? await namedUser(email.trim()) : undefined);
      const input = {
        name: name.trim(),
        readOnly,
        ...(userId && { userId }),
        ...(limited.length > 0 && { zones: limited }),
        ...(days && { expiresAt: endOf(days) }),
      };
      return (await run(createKey, { input })).createApiKey;
    },
    onSuccess: () => readAgain("api-keys"),
  });
  const may =
    whose &&
    mayText(
      !isOfUser
        ? "everything: all zones, users, servers and keys"
        : `all zones of ${viewer.user?.email ?? (email.trim() || "the user")}`,
      readOnly,
      limited,
      days,
    );
  const created = create.data;
  if (created)
    return (
      <Secret title={`Key ${created.apiKey.name}`} secret={created.key} what="the key" onClose={onClose}>
        {may}
      </Secret>
    );
  return (
    <FormDialog title="New API key" action="Create" form={create} onClose={onClose}>
      <Field
        label="Name"
        error={create.errorOf("name")}
        hint="What it is for, such as laptop; the history names it so."
      >
        <TextInput required spellCheck maxLength={100} value={name} onChange={setName} />
      </Field>
      {viewer.isAdministrator && (
        <Field label="Whose key">
          <Select required value={whose} options={owners} onChange={setWhose} />
        </Field>
      )}
      {viewer.isAdministrator && isOfUser && (
        <UserField
          error={create.errorOf("userId")}
          hint="The e-mail address of the user."
          required
          value={email}
          onChange={setEmail}
        />
      )}
      {isOfUser && (
        <Field
          label="Zones"
          error={create.errorOf("zones")}
          hint="Names that it is limited to, separated by blanks; empty for all of the user's."
        >
          <TextInput value={zones} onChange={setZones} />
        </Field>
      )}
      <EndsField days={days} error={create.errorOf("expiresAt")} onChange={setDays} />
      <Choice label="It may only read" checked={readOnly} onChange={setReadOnly} />
      {may && <p>{may}</p>}
    </FormDialog>
  );
}
