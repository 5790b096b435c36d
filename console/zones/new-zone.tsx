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
import { TemplateFields, useTemplateChoice } from "../templates/template-fields.tsx";
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

interface NewZoneProps {
  /** The id of the template that it is made from at first. */
  readonly template?: string | undefined;
  readonly onClose: () => void;
}

export function NewZone({ template, onClose }: NewZoneProps) {
  const fields = useNewZone();
  const choice = useTemplateChoice(template);
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => run(createZone, { input: { ...(await fields.read()), ...choice.input } }),
    onSuccess: async ({ createDomain }) => {
      void queries.invalidateQueries({ queryKey: ["zones"] });
      void queries.invalidateQueries({ queryKey: ["zone-counts"] });
      if (!createDomain) return;
      announceResult(`${createDomain.domain.zoneUnicode} is created.`, createDomain.warnings);
      await navigate({ to: "/zones/$zone", params: { zone: createDomain.domain.zone } });
    },
  });
  const reasons = reasonsByField(create.error, [
    "zone",
    "userId",
    "template",
    ...(choice.chosen?.variables ?? []).map(({ name }) => choice.fieldOf(name)),
  ]);
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
      <TemplateFields choice={choice} error={reasons.of} />
      {reasons.rest}
    </FormDialog>
  );
}
