/**
 * Deleting a user, which says what happens to the user's zones.
 */
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { OnDomains } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Field, Select, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { counted } from "../parts/text/counted.ts";
import type { ListedUser } from "./queries.ts";
import { namedUser, UserField } from "./user-field.tsx";

const deleteUser = graphql(`
  mutation DeleteUser($input: DeleteUserInput!) {
    deleteUser(input: $input) { deletedId }
  }
`);

interface DeleteUserProps {
  readonly user: ListedUser;
  readonly onClose: () => void;
}

export function DeleteUser({ user: { id, email, quota }, onClose }: DeleteUserProps) {
  const count = quota.domains.usage ?? 0;
  const [onDomains, setOnDomains] = useState<OnDomains>(count > 0 ? "TRANSFER" : "REFUSE");
  const [heir, setHeir] = useState("");
  const [typed, setTyped] = useState("");
  const deletion = useForm({
    fields: ["userId", "transferToUserId"],
    mutationFn: async () => {
      const transferToUserId = onDomains === "TRANSFER" ? await namedUser(heir.trim()) : undefined;
      return run(deleteUser, { input: { by: { id }, onDomains, ...(transferToUserId && { transferToUserId }) } });
    },
    onSuccess: () => {
      announceResult(`${email} is deleted.`);
      onClose();
      void queries.invalidateQueries();
    },
  });
  const isReady = onDomains !== "DELETE" || typed.trim() === email;
  return (
    <FormDialog
      title={`Delete ${email}?`}
      action="Delete the user"
      kind="danger"
      isReady={isReady}
      form={deletion}
      onClose={onClose}
    >
      <p>The user's keys end at once.</p>
      {count > 0 && (
        <Field label={count === 1 ? "The zone of this user" : `The ${counted(count, "zone")}`}>
          <Select
            value={onDomains}
            onChange={setOnDomains}
            options={[
              ["TRANSFER", `${count === 1 ? "goes" : "go"} to another user`],
              ["DELETE", `${count === 1 ? "is" : "are"} deleted too`],
            ]}
          />
        </Field>
      )}
      {onDomains === "TRANSFER" && (
        <UserField
          label="New user"
          error={deletion.errorOf("userId") ?? deletion.errorOf("transferToUserId")}
          required
          value={heir}
          onChange={setHeir}
        />
      )}
      {onDomains === "DELETE" && (
        <Field
          label="Type the address of the user"
          hint={`Every name server stops serving ${count === 1 ? "this zone" : "these zones"}.`}
        >
          <TextInput value={typed} onChange={setTyped} />
        </Field>
      )}
    </FormDialog>
  );
}
