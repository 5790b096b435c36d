/**
 * A new secret, shown once: it is in no address and in no storage, and goes with the dialog.
 */
import { Button } from "../control/button.tsx";
import { Copy } from "../control/copy.tsx";
import { Actions, Dialog } from "../control/dialog.tsx";
import css from "./secret.module.css";

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly what: string;
  readonly children: React.ReactNode;
  /** What is shown with it, such as a configuration that holds it. */
  readonly below?: React.ReactNode;
  readonly onClose: () => void;
}

export function Secret({ title, secret, what, children, below, onClose }: SecretProps) {
  return (
    <Dialog title={title} onClose={onClose} closable={false} width={below ? "wide" : "narrow"}>
      <div className={css.lines}>
        <p>{children}</p>
        <div className={css.secret}>
          <code>{secret}</code>
          <div>
            <Copy text={secret} what={what} />
          </div>
        </div>
        {below}
      </div>
      <Actions>
        <Button kind="primary" onClick={onClose}>
          It is saved
        </Button>
      </Actions>
    </Dialog>
  );
}
