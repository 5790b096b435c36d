/**
 * A new secret, shown once: it is in no address and in no storage, and goes with the page.
 */
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "../control/button.tsx";
import { Copy } from "../control/copy.tsx";
import look from "../look.module.css";
import css from "./secret.module.css";

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
    <section ref={panel} tabIndex={-1} aria-label={title} className={`${look.card} ${look.stack} ${css.secret}`}>
      <header className={look.line}>
        <h3 className={look.grow}>{title}</h3>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <p>Copy it now: it is not shown again.</p>
      <div className={look.line}>
        <code className={`${look.grow} ${look.anywhere}`}>{secret}</code>
        <Copy text={secret} what={what} />
      </div>
      <p className={look.soft}>{children}</p>
      {below}
    </section>
  );
}
