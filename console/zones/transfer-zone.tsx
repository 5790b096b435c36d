/**
 * Giving a zone to another user.
 */
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { saved } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { namedUser, UserField } from "../users/user-field.tsx";
import type { ListedZone } from "./zone-queries.ts";

const transferZone = graphql(`
  mutation TransferZone($input: TransferDomainInput!) { transferDomain(input: $input) { domain { id } } }
`);

interface TransferZoneProps {
  readonly zone: Pick<ListedZone, "zone" | "zoneUnicode" | "user">;
  readonly onClose: () => void;
}

export function TransferZone({ zone: { zone, zoneUnicode, user }, onClose }: TransferZoneProps) {
  const transfer = useForm({
    values: { userId: "" },
    mutationFn: async ({ userId: email }) =>
      run(transferZone, { input: { by: { zone }, userId: await namedUser(email) } }),
    onSuccess: (_, { userId: email }) => saved(`${zoneUnicode} belongs to ${email} now.`, onClose, "zones", "zone"),
  });
  return (
    <FormDialog title={`Transfer ${zoneUnicode}`} action="Transfer" form={transfer} onClose={onClose}>
      <UserField
        label="New user"
        hint={`${user ? `It belongs to ${user.email}, who will not see it any more. ` : ""}Records and serial stay as they are.`}
        required
      />
    </FormDialog>
  );
}
