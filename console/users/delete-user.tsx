/**
 * Deleting a user, which says what happens to the user's zones.
 */
import { graphql } from "../api/generated/gql.ts";
import type { OnDomains } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { SelectField, saved, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { counted } from "../parts/text/counted.ts";
import type { ListedUser } from "./queries.ts";
import { namedUser, UserField } from "./user-field.tsx";

const deleteUser = graphql(`
  mutation DeleteUser($input: DeleteUserInput!) { deleteUser(input: $input) { deletedId } }
`);

export function DeleteUser({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const { id, email, quota } = user;
  const count = quota.domains.usage ?? 0;
  const deletion = useForm({
    values: { onDomains: (count > 0 ? "TRANSFER" : "REFUSE") as OnDomains, transferToUserId: "", typed: "" },
    fields: ["userId"],
    mutationFn: async ({ onDomains, transferToUserId: heir }) => {
      const to = onDomains === "TRANSFER" && { transferToUserId: await namedUser(heir) };
      return run(deleteUser, { input: { by: { id }, onDomains, ...to } });
    },
    onSuccess: () => {
      saved(`${email} is deleted.`, onClose);
      void queries.invalidateQueries();
    },
  });
  const { onDomains, typed } = deletion.values;
  const isOne = count === 1;
  return (
    <FormDialog
      title={`Delete ${email}?`}
      action="Delete the user"
      kind="danger"
      isReady={onDomains !== "DELETE" || typed.trim() === email}
      form={deletion}
      onClose={onClose}
    >
      <p>The user's keys end at once.</p>
      {count > 0 && (
        <SelectField<OnDomains>
          name="onDomains"
          label={isOne ? "The zone of this user" : `The ${counted(count, "zone")}`}
          options={[
            ["TRANSFER", `${isOne ? "goes" : "go"} to another user`],
            ["DELETE", `${isOne ? "is" : "are"} deleted too`],
          ]}
        />
      )}
      {onDomains === "TRANSFER" && (
        <UserField name="transferToUserId" label="New user" error={deletion.errorOf("userId")} required />
      )}
      {onDomains === "DELETE" && (
        <TextField
          name="typed"
          label="Type the address of the user"
          hint={`Every name server stops serving ${isOne ? "this zone" : "these zones"}.`}
        />
      )}
    </FormDialog>
  );
}
