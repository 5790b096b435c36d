/**
 * Lines of text as they are, such as those of a configuration: they scroll sideways, by keys too.
 */
import { Copy } from "../control/copy.tsx";
import look from "../look.module.css";
import css from "./lines.module.css";

interface LinesProps {
  readonly label: string;
  readonly text: string;
}

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
