/**
 * Deleting a user, which says what happens to the user's zones.
 */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { OnDomains } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { announceResult } from "../parts/announce.tsx";
import { Button } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import { Actions, Dialog } from "../parts/dialog.tsx";
import { Field, Fields } from "../parts/field.tsx";
import { reasonsByField } from "../parts/refusal.tsx";
import type { ListedUser } from "./queries.ts";
import { namedUser, UserField } from "./user-field.tsx";

const deleteUser = graphql(`
  mutation DeleteUser($input: DeleteUserInput!) {
    deleteUser(input: $input) {
      deletedId
    }
  }
`);

interface DeleteUserProps {
  readonly user: ListedUser;
  readonly onClose: () => void;
}

export function DeleteUser({ user: { id, email, domains }, onClose }: DeleteUserProps) {
  const count = domains?.totalCount ?? 0;
  const [onDomains, setOnDomains] = useState<OnDomains>(count > 0 ? "TRANSFER" : "REFUSE");
  const [heir, setHeir] = useState("");
  const [typed, setTyped] = useState("");
  const deletion = useMutation({
    mutationFn: async () => {
      const transferToUserId = onDomains === "TRANSFER" ? await namedUser(heir.trim()) : undefined;
      return run(deleteUser, { input: { id, onDomains, ...(transferToUserId && { transferToUserId }) } });
    },
    onSuccess: () => {
      announceResult(`${email} is deleted.`);
      onClose();
      void queries.invalidateQueries();
    },
  });
  const isReady = onDomains !== "DELETE" || typed.trim() === email;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) deletion.mutate();
  };
  const reasons = reasonsByField(deletion.error, ["userId", "transferToUserId"]);
  return (
    <Dialog title={`Delete ${email}?`} onClose={onClose}>
      <form onSubmit={submit}>
        <Fields>
          <p>The user's keys end at once.</p>
          {count > 0 && (
            <Field label={count === 1 ? "The zone of this user" : `The ${counted(count, "zone")}`}>
              <select value={onDomains} onChange={(event) => setOnDomains(event.target.value as OnDomains)}>
                <option value="TRANSFER">{count === 1 ? "goes" : "go"} to another user</option>
                <option value="DELETE">{count === 1 ? "is" : "are"} deleted too</option>
              </select>
            </Field>
          )}
          {onDomains === "TRANSFER" && (
            <UserField
              label="New user"
              error={reasons.of("userId") ?? reasons.of("transferToUserId")}
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
              <input
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </Field>
          )}
          {reasons.rest}
        </Fields>
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" disabled={!isReady} busy={deletion.isPending}>
            Delete the user
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
