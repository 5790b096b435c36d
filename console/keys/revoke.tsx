/**
 * Revoking a key, which asks once.
 */
import type { ReactNode } from "react";
import { queries } from "../api/queries.ts";
import { announceResult } from "../parts/announce.tsx";
import { Question } from "../parts/form-dialog.tsx";

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
  const revoked = () => {
    announceResult(`${name} is revoked.`);
    onClose();
    void queries.invalidateQueries({ queryKey: [list] });
  };
  return (
    <Question
      title={`Revoke ${name}?`}
      action="Revoke the key"
      byEnter={byEnter}
      send={revoke}
      onSent={revoked}
      onClose={onClose}
    >
      {children}
    </Question>
  );
}
