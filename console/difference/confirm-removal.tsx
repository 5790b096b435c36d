/** Asks for consent to a change that takes much away, before it can be applied. */
import { type ReactNode, useRef, useState } from "react";
import { Choice } from "../parts/control/field.tsx";

/** A consent that is asked for, or that is not needed. */
interface Consent {
  /** Whether the change may be applied. */
  readonly isGiven: boolean;
  /** The question; null where nothing is asked. */
  readonly question: ReactNode;
  /** Says that it is missing, and leads to the question. */
  demand(): void;
}

/**
 * Asks for consent to what a change does, such as "remove 20 of 24 records (83 %)"; nothing is asked where that is undefined.
 * A consent is to these words: where they become others, it is asked for again.
 */
export function useConsent(words: string | undefined): Consent {
  const [agreed, setAgreed] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isGiven = words === undefined || agreed === words;
  return {
    isGiven,
    question:
      words === undefined ? null : (
        <div ref={box}>
          <Choice
            label={`Yes, ${words}.`}
            hint={
              <span role="alert">{isMissing && !isGiven ? "✕ Nothing is applied before you agree to this." : ""}</span>
            }
            checked={isGiven}
            data-first
            onChange={(isChecked) => setAgreed(isChecked ? words : undefined)}
          />
        </div>
      ),
    demand: () => {
      setMissing(true);
      box.current?.querySelector("input")?.focus();
    },
  };
}
