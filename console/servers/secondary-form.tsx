/**
 * A secondary that is added or edited.
 */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { Choice, Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog } from "../parts/page/form-dialog.tsx";
import { reasonsByField } from "../parts/page/refusal.tsx";
import type { ListedSecondary } from "./queries.ts";
import css from "./servers.module.css";

const createSecondary = graphql(`
  mutation CreateSecondary($input: CreateSecondaryInput!) {
    createSecondary(input: $input) {
      secondary { id }
    }
  }
`);

const updateSecondary = graphql(`
  mutation UpdateSecondary($input: UpdateSecondaryInput!) {
    updateSecondary(input: $input) {
      secondary { id }
    }
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
  const save = useMutation({
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
      void queries.invalidateQueries({ queryKey: ["secondaries"] });
      if (saved && !secondary) await navigate({ to: "/servers/$server", params: { server: saved.secondary.id } });
      else onClose();
    },
  });
  const reasons = reasonsByField(save.error, ["name", "address", "port", "newTsigKey"]);
  return (
    <FormDialog
      title={secondary ? `Edit ${secondary.name}` : "New server"}
      action={secondary ? "Save" : "Add"}
      isSending={save.isPending}
      onSend={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        error={reasons.of("name") ?? reasons.of("newTsigKey")}
        hint="Such as knot1; people know it by this."
      >
        <TextInput required maxLength={100} value={name} onChange={setName} />
      </Field>
      <div className={css.pair}>
        <Field
          label="Address"
          error={reasons.of("address")}
          hint={secondary ? "Another address forgets what was observed here." : "IPv4 or IPv6, where it answers DNS."}
        >
          <TextInput required value={address} onChange={setAddress} />
        </Field>
        <Field label="Port" error={reasons.of("port")}>
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
      <Choice
        label="A change is live only when this server has it"
        checked={requiredForLive}
        onChange={(event) => setRequired(event.target.checked)}
      />
      <Choice
        label="It is notified of changes (RFC 1996)"
        checked={notify}
        onChange={(event) => setNotify(event.target.checked)}
      />
      <Choice
        label="It transfers from another name server"
        hint="Not from this service; then it must let this service transfer its zones, to compare them."
        checked={indirect}
        onChange={(event) => setIndirect(event.target.checked)}
      />
      {!secondary && (
        <Choice
          label="It signs with a TSIG key of its own"
          hint="The key is made with it, and is in the stanza. Without one, it is known by its address alone."
          checked={signs}
          onChange={(event) => setSigns(event.target.checked)}
        />
      )}
      {reasons.rest}
    </FormDialog>
  );
}
