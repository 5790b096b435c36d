/**
 * A new zone: its name, and for an administrator the user who owns it.
 */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/announce.tsx";
import { Field, TextInput } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { reasonsByField } from "../parts/refusal.tsx";
import { namedUser, UserField } from "../users/user-field.tsx";

export const createZone = graphql(`
  mutation CreateZone($input: CreateDomainInput!) {
    createDomain(input: $input) {
      domain {
        id
        zone
        zoneUnicode
        serial
      }
      warnings
    }
  }
`);

export function NewZone({ onClose }: { readonly onClose: () => void }) {
  const viewer = useViewer();
  const [zone, setZone] = useState("");
  const [email, setEmail] = useState("");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => {
      const userId = viewer.user?.id ?? (await namedUser(email.trim()));
      return run(createZone, { input: { zone: zone.trim(), userId } });
    },
    onSuccess: async ({ createDomain }) => {
      void queries.invalidateQueries({ queryKey: ["zones"] });
      void queries.invalidateQueries({ queryKey: ["zone-counts"] });
      if (!createDomain) return;
      announceResult(`${createDomain.domain.zoneUnicode} is created.`, createDomain.warnings);
      await navigate({ to: "/zones/$zone", params: { zone: createDomain.domain.zone } });
    },
  });
  const reasons = reasonsByField(create.error, ["zone", "userId"]);
  return (
    <FormDialog
      title="New zone"
      action="Create"
      isSending={create.isPending}
      onSend={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Zone" error={reasons.of("zone")} hint="Such as example.com; letters of any script are taken.">
        <TextInput required value={zone} onChange={setZone} />
      </Field>
      {viewer.isAdministrator && (
        <UserField
          error={reasons.of("userId")}
          hint="The e-mail address of the user who will own it."
          required
          value={email}
          onChange={setEmail}
        />
      )}
      {reasons.rest}
    </FormDialog>
  );
}
