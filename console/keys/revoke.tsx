/**
 * Revoking a key, which asks once.
 */
import type { ReactNode } from "react";
import { readAgain } from "../api/queries.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Question } from "../parts/page/form-dialog.tsx";

interface RevokeProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly revoke: () => Promise<unknown>;
  /** Whether the page itself is signed in with it: then Enter does not confirm. */
  readonly isOwn: boolean;
  /** The list that shows the key. */
  readonly list: string;
  readonly onClose: () => void;
}

export function Revoke({ name, children, revoke, isOwn, list, onClose }: RevokeProps) {
  const revoked = () => {
    announceResult(`${name} is revoked.`);
    onClose();
    readAgain(list);
  };
  return (
    <Question
      title={isOwn ? `Revoke ${name}, and be signed out?` : `Revoke ${name}?`}
      action="Revoke the key"
      byEnter={!isOwn}
      send={revoke}
      onSent={revoked}
      onClose={onClose}
    >
      {children}
    </Question>
  );
}
