/** A secondary that is added or edited. */
import { useNavigate } from "@tanstack/react-router";
import { readAgain } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import { CheckField, FormDialog, TextField, useForm } from "../parts/page/form.tsx";
import type { ListedSecondary } from "./queries.ts";
import css from "./servers.module.css";

const createSecondary = graphql(`
  mutation CreateSecondary($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }
`);

const updateSecondary = graphql(`
  mutation UpdateSecondary($input: UpdateSecondaryInput!) { updateSecondary(input: $input) { secondary { id } } }
`);

const usual = { name: "", address: "", port: 53, requiredForLive: true, notify: true, indirect: false };

interface SecondaryFormProps {
  /** The one that is edited; without it one is added. */
  readonly secondary?: ListedSecondary;
  readonly onClose: () => void;
}

export function SecondaryForm({ secondary, onClose }: SecondaryFormProps) {
  const navigate = useNavigate();
  const { name, address, port, requiredForLive, notify, indirect } = secondary ?? usual;
  const save = useForm({
    values: { name, address, port: String(port), requiredForLive, notify, indirect, signs: true },
    fields: ["newTsigKey"],
    mutationFn: async ({ signs, ...written }) => {
      const fields = { ...written, port: Number(written.port) };
      if (secondary)
        return (await run(updateSecondary, { input: { by: { id: secondary.id }, ...fields } })).updateSecondary;
      const label = fields.name.toLowerCase().replaceAll(/[^a-z\d.-]+/g, "-") || "secondary";
      const key = signs ? { newTsigKey: `${label}.key` } : { allowUnsignedTransfer: true };
      return (await run(createSecondary, { input: { ...fields, ...key } })).createSecondary;
    },
    onSuccess: async (saved) => {
      readAgain("secondaries");
      if (!saved || secondary) return onClose();
      const params = { server: saved.secondary.id };
      await navigate({ to: "/servers/$server", params, search: { software: "KNOT" } });
    },
  });
  return (
    <FormDialog
      title={secondary ? `Edit ${secondary.name}` : "Add server"}
      action={secondary ? "Save" : "Add"}
      form={save}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        hint="Such as knot1; people know it by this."
        error={save.errorOf("newTsigKey")}
        required
        maxLength={100}
      />
      <div className={css.pair}>
        <TextField
          name="address"
          label="Address"
          hint={secondary ? "Another address forgets what was observed here." : "IPv4 or IPv6, where it answers DNS."}
          required
        />
        <TextField name="port" label="Port" required type="number" min={1} max={65535} />
      </div>
      <CheckField name="requiredForLive" label="A change is live only when this server has it" />
      <CheckField name="notify" label="It is notified of changes (RFC 1996)" />
      <CheckField
        name="indirect"
        label="It transfers from another name server"
        hint="Not from this service; then it must let this service transfer its zones, to compare them."
      />
      {!secondary && (
        <CheckField
          name="signs"
          label="It signs with a TSIG key of its own"
          hint="A new key, which is in the configuration to copy. Without one, its address alone says that it is this server."
        />
      )}
    </FormDialog>
  );
}
