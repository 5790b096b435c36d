/**
 * What is said aloud by a screen reader: one polite region for what happened, an assertive one for what failed. It is shown to nobody.
 */
import { useSyncExternalStore } from "react";
import css from "./hidden.module.css";

interface Announcements {
  readonly polite: string;
  readonly assertive: string;
}

let texts: Announcements = { polite: "", assertive: "" };
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Says something; the same text twice is said twice. */
export function announce(text: string, urgency: keyof Announcements = "polite"): void {
  const repeated = texts[urgency] === text ? `${text}\u00a0` : text;
  texts = { ...texts, [urgency]: repeated };
  for (const listener of listeners) listener();
}

export function LiveRegions() {
  const { polite, assertive } = useSyncExternalStore(subscribe, () => texts);
  return (
    <div className={css.hidden}>
      <p role="status">{polite}</p>
      <p role="alert">{assertive}</p>
    </div>
  );
}

/** Text that is read and not shown. */
export function Hidden({ children }: { readonly children: React.ReactNode }) {
  return <span className={css.hidden}>{children}</span>;
}
