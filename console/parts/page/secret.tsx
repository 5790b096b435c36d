/**
 * A new secret, shown once: it is in no address and in no storage, and goes with the page.
 */
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "../control/button.tsx";
import { Copy } from "../control/copy.tsx";
import css from "./secret.module.css";
import table from "./table.module.css";

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly what: string;
  readonly children: ReactNode;
  /** What is shown with it, such as a configuration that holds it. */
  readonly below?: ReactNode;
  readonly onClose: () => void;
}

export function Secret({ title, secret, what, children, below, onClose }: SecretProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <section ref={panel} tabIndex={-1} aria-label={title} className={css.secret}>
      <header>
        <h3>{title}</h3>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <p>Copy it now: it is not shown again.</p>
      <div className={css.value}>
        <code>{secret}</code>
        <Copy text={secret} what={what} />
      </div>
      <p className={table.soft}>{children}</p>
      {below}
    </section>
  );
}
