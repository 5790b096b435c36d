/**
 * A new zone: its name, and for an administrator the user who owns it.
 */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/announce.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { reasonsByField } from "../parts/refusal.tsx";
import { NewZoneFields, useNewZone } from "./new-zone-fields.tsx";

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
  const fields = useNewZone();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => run(createZone, { input: await fields.read() }),
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
      <NewZoneFields
        label="Zone"
        hint="Such as example.com; letters of any script are taken."
        fields={fields}
        zoneError={reasons.of("zone")}
        userError={reasons.of("userId")}
      />
      {reasons.rest}
    </FormDialog>
  );
}
