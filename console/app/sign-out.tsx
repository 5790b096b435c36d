/** Signing out while edits are staged: whether this browser keeps them for the next sign-in with the same key. */

import { Button } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import { Actions, Dialog } from "../parts/dialog.tsx";

interface Props {
  readonly staged: number;
  readonly onClose: () => void;
  /** Signs out. */
  readonly onLeave: (keeps: boolean) => void;
}

export function SignOut({ staged, onClose, onLeave }: Props) {
  return (
    <Dialog title={`Sign out with ${counted(staged, "staged edit")}?`} onClose={onClose}>
      <p>
        They are kept in this browser and are there again when you sign in with the same key. On a computer of others,
        discard them.
      </p>
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={() => onLeave(false)}>
          Discard and sign out
        </Button>
        <Button kind="primary" onClick={() => onLeave(true)}>
          Keep and sign out
        </Button>
      </Actions>
    </Dialog>
  );
}
