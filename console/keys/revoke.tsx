/**
 * Revoking a key, which asks once.
 */
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "../api/queries.ts";
import { announceResult } from "../parts/announce.tsx";
import { Button } from "../parts/button.tsx";
import { Actions, Dialog } from "../parts/dialog.tsx";
import { Refusal } from "../parts/refusal.tsx";

interface RevokeProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly revoke: () => Promise<unknown>;
  /** Whether Enter confirms: not where the key is that of the page itself. */
  readonly byEnter: boolean;
  /** The list that shows the key. */
  readonly list: string;
  readonly onClose: () => void;
}

export function Revoke({ name, children, revoke, byEnter, list, onClose }: RevokeProps) {
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      announceResult(`${name} is revoked.`);
      onClose();
      void queries.invalidateQueries({ queryKey: [list] });
    },
  });
  return (
    <Dialog title={`Revoke ${name}?`} onClose={onClose}>
      <p>{children}</p>
      {revocation.error && <Refusal error={revocation.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          {...(byEnter && { "data-first": true, hint: "Enter" })}
          busy={revocation.isPending}
          onClick={() => revocation.mutate()}
        >
          Revoke the key
        </Button>
      </Actions>
    </Dialog>
  );
}
