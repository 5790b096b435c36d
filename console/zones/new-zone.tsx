/**
 * A new zone: its name, and for an administrator the user who owns it.
 */
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/announce.tsx";
import { Button } from "../parts/button.tsx";
import { Actions, Dialog } from "../parts/dialog.tsx";
import { Field, Fields } from "../parts/field.tsx";
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const reasons = reasonsByField(create.error, ["zone", "userId"]);
  return (
    <Dialog title="New zone" onClose={onClose}>
      <form onSubmit={submit}>
        <Fields>
          <Field label="Zone" error={reasons.of("zone")} hint="Such as example.com; letters of any script are taken.">
            <input
              required
              autoComplete="off"
              spellCheck={false}
              value={zone}
              onChange={(event) => setZone(event.target.value)}
            />
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
        </Fields>
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
