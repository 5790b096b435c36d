/** Asks for consent to a change that takes much away, before it can be applied. */
import { type ReactNode, useRef, useState } from "react";
import { Choice } from "../parts/field.tsx";

/** A consent that is asked for, or that is not needed. */
interface Consent {
  /** Whether the change may be applied. */
  readonly isGiven: boolean;
  /** The question; null where nothing is asked. */
  readonly question: ReactNode;
  /** Says that it is missing, and leads to the question. */
  demand(): void;
  /** Asks again. */
  reset(): void;
}

/** Asks for consent to what a change does, such as "remove 20 of 24 records (83 %)"; nothing is asked where that is undefined. */
export function useConsent(words: string | undefined): Consent {
  const [isChecked, setChecked] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  return {
    isGiven: words === undefined || isChecked,
    question:
      words === undefined ? null : (
        <div ref={box}>
          <Choice
            label={`Yes, ${words}.`}
            hint={
              <span role="alert">
                {isMissing && !isChecked ? "✕ Nothing is applied before you agree to this." : ""}
              </span>
            }
            checked={isChecked}
            data-first
            onChange={({ currentTarget }) => setChecked(currentTarget.checked)}
          />
        </div>
      ),
    demand: () => {
      setMissing(true);
      box.current?.querySelector("input")?.focus();
    },
    reset: () => setChecked(false),
  };
}
