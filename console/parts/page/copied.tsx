/** What is made to be copied: a text with its button, lines such as those of a configuration, and a new secret. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { announce } from "../control/announce.tsx";
import { Button, type ButtonKind, IconButton } from "../control/button.tsx";
import look from "../look.module.css";
import css from "./copied.module.css";

/** How long the button shows that it copied, ms. */
const shownMs = 2000;

interface CopyProps {
  readonly text: string;
  /** What is copied, for those who do not see what is beside it. */
  readonly what: string;
  readonly kind?: ButtonKind;
}

export function Copy({ text, what, kind = "plain" }: CopyProps) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult("copied");
      announce(`${what}: copied`);
    } catch {
      setResult("failed");
      announce(`${what}: the browser did not let it be copied`, "assertive");
    }
  };
  const words = result === undefined ? "Copy" : result === "copied" ? "Copied" : "Select and copy it yourself";
  return (
    <Button kind={kind} icon={result === "copied" ? "check" : "copy"} aria-label={`Copy ${what}`} onClick={copy}>
      {words}
    </Button>
  );
}

interface LinesProps {
  readonly label: string;
  readonly text: string;
}

/** Lines of text as they are: they scroll sideways, by keys too. */
export function Lines({ label, text }: LinesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys
    <section className={`${look.card} ${css.lines}`} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

/** Lines that are made to be copied; `what` names them on the button. */
export function CopiedLines({ what, ...lines }: LinesProps & { readonly what: string }) {
  return (
    <>
      <Lines {...lines} />
      <div>
        <Copy text={lines.text} what={what} />
      </div>
    </>
  );
}

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly what: string;
  readonly children: ReactNode;
  /** What is shown with it, such as a configuration that holds it. */
  readonly below?: ReactNode;
  readonly onClose: () => void;
}

/** A new secret, shown once: it is in no address and in no storage, and goes with the page. */
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
