/**
 * Giving a zone to another user.
 */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { FormDialog } from "../parts/page/form-dialog.tsx";
import { reasonsByField } from "../parts/page/refusal.tsx";
import { namedUser, UserField } from "../users/user-field.tsx";

const transferZone = graphql(`
  mutation TransferZone($input: TransferDomainInput!) {
    transferDomain(input: $input) {
      domain { id }
    }
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
  const transfer = useMutation({
    mutationFn: async () => run(transferZone, { input: { by: { zone }, userId: await namedUser(email.trim()) } }),
    onSuccess: () => {
      announceResult(`${zoneUnicode} belongs to ${email} now.`);
      onClose();
      void queries.invalidateQueries({ queryKey: ["zones"] });
      void queries.invalidateQueries({ queryKey: ["zone", zone] });
    },
  });
  const reasons = reasonsByField(transfer.error, ["userId"]);
  return (
    <FormDialog
      title={`Transfer ${zoneUnicode}`}
      action="Transfer"
      isSending={transfer.isPending}
      onSend={() => transfer.mutate()}
      onClose={onClose}
    >
      <UserField
        label="New user"
        error={reasons.of("userId")}
        hint={`${user ? `It belongs to ${user.email}, who will not see it any more. ` : ""}Records and serial stay as they are.`}
        required
        value={email}
        onChange={setEmail}
      />
      {reasons.rest}
    </FormDialog>
  );
}
