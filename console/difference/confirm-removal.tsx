/** Asks for consent to a large loss before a change is applied. */
import { useRef, useState } from "react";
import { Choice } from "../parts/control/field.tsx";

/**
 * Asks for consent to a loss, such as "remove 20 of 24 records (83 %)"; asks nothing when `words` is undefined. A consent holds for its
 * words: other words are asked again.
 */
export function useConsent(words: string | undefined) {
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
    /** Says that the consent is missing, and moves the focus to the question. */
    demand: () => {
      setMissing(true);
      box.current?.querySelector("input")?.focus();
    },
  };
}
