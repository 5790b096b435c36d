/**
 * A secondary that is added or edited.
 */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { Choice, Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import type { ListedSecondary } from "./queries.ts";
import css from "./servers.module.css";

const createSecondary = graphql(`
  mutation CreateSecondary($input: CreateSecondaryInput!) {
    createSecondary(input: $input) { secondary { id } }
  }
`);

const updateSecondary = graphql(`
  mutation UpdateSecondary($input: UpdateSecondaryInput!) {
    updateSecondary(input: $input) { secondary { id } }
  }
`);

interface SecondaryFormProps {
  /** The one that is edited; without it one is added. */
  readonly secondary?: ListedSecondary;
  readonly onClose: () => void;
}

export function SecondaryForm({ secondary, onClose }: SecondaryFormProps) {
  const [name, setName] = useState(secondary?.name ?? "");
  const [address, setAddress] = useState(secondary?.address ?? "");
  const [port, setPort] = useState(String(secondary?.port ?? 53));
  const [requiredForLive, setRequired] = useState(secondary?.requiredForLive ?? true);
  const [notify, setNotify] = useState(secondary?.notify ?? true);
  const [indirect, setIndirect] = useState(secondary?.indirect ?? false);
  const [signs, setSigns] = useState(true);
  const navigate = useNavigate();
  const save = useForm({
    fields: ["name", "address", "port", "newTsigKey"],
    mutationFn: async () => {
      const fields = {
        name: name.trim(),
        address: address.trim(),
        port: Number(port),
        requiredForLive,
        notify,
        indirect,
      };
      if (secondary)
        return (await run(updateSecondary, { input: { by: { id: secondary.id }, ...fields } })).updateSecondary;
      const newTsigKey = `${
        name
          .trim()
          .toLowerCase()
          .replaceAll(/[^a-z\d.-]+/g, "-") || "secondary"
      }.key`;
      return (
        await run(createSecondary, {
          input: { ...fields, ...(signs ? { newTsigKey } : { allowUnsignedTransfer: true }) },
        })
      ).createSecondary;
    },
    onSuccess: async (saved) => {
      readAgain("secondaries");
      if (saved && !secondary) {
        const params = { server: saved.secondary.id };
        await navigate({ to: "/servers/$server", params, search: { software: "KNOT" } });
      } else onClose();
    },
  });
  return (
    <FormDialog
      title={secondary ? `Edit ${secondary.name}` : "Add server"}
      action={secondary ? "Save" : "Add"}
      form={save}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={save.errorOf("name") ?? save.errorOf("newTsigKey")}
        hint="Such as knot1; people know it by this."
      >
        <TextInput required maxLength={100} value={name} onChange={setName} />
      </Field>
      <div className={css.pair}>
        <Field
          label="Address"
          error={save.errorOf("address")}
          hint={secondary ? "Another address forgets what was observed here." : "IPv4 or IPv6, where it answers DNS."}
        >
          <TextInput required value={address} onChange={setAddress} />
        </Field>
        <Field label="Port" error={save.errorOf("port")}>
          <input
            required
            type="number"
            min={1}
            max={65535}
            value={port}
            onChange={(event) => setPort(event.target.value)}
          />
        </Field>
      </div>
      <Choice label="A change is live only when this server has it" checked={requiredForLive} onChange={setRequired} />
      <Choice label="It is notified of changes (RFC 1996)" checked={notify} onChange={setNotify} />
      <Choice
        label="It transfers from another name server"
        hint="Not from this service; then it must let this service transfer its zones, to compare them."
        checked={indirect}
        onChange={setIndirect}
      />
      {!secondary && (
        <Choice
          label="It signs with a TSIG key of its own"
          hint="The key is made with it, and is in the configuration. Without one, it is known by its address alone."
          checked={signs}
          onChange={setSigns}
        />
      )}
    </FormDialog>
  );
}
