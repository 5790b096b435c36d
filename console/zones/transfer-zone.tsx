/**
 * Giving a zone to another user.
 */
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { namedUser, UserField } from "../users/user-field.tsx";

const transferZone = graphql(`
  mutation TransferZone($input: TransferDomainInput!) {
    transferDomain(input: $input) { domain { id } }
  }
`);

interface TransferZoneProps {
  readonly zone: {
    readonly zone: string;
    readonly zoneUnicode: string;
    readonly user: { readonly email: string } | null;
  };
  readonly onClose: () => void;
}

export function TransferZone({ zone: { zone, zoneUnicode, user }, onClose }: TransferZoneProps) {
  const [email, setEmail] = useState("");
  const transfer = useForm({
    fields: ["userId"],
    mutationFn: async () => run(transferZone, { input: { by: { zone }, userId: await namedUser(email.trim()) } }),
    onSuccess: () => {
      announceResult(`${zoneUnicode} belongs to ${email} now.`);
      onClose();
      readAgain("zones", "zone");
    },
  });
  return (
    <FormDialog title={`Transfer ${zoneUnicode}`} action="Transfer" form={transfer} onClose={onClose}>
      <UserField
        label="New user"
        error={transfer.errorOf("userId")}
        hint={`${user ? `It belongs to ${user.email}, who will not see it any more. ` : ""}Records and serial stay as they are.`}
        required
        value={email}
        onChange={setEmail}
      />
    </FormDialog>
  );
}
