/**
 * Why something failed, in the service's own sentence: with a countdown when waiting helps, and the id of a fault to copy.
 */
import { type ReactNode, useEffect, useState } from "react";
import { Refused, Unreachable } from "../../api/refused.ts";
import { Button } from "../control/button.tsx";
import { Copy } from "../control/copy.tsx";
import look from "../look.module.css";

interface RefusalProps {
  readonly error: unknown;
  /** Tries again; without it there is no button. */
  readonly onRetry?: (() => void) | undefined;
}

export function Refusal({ error, onRetry }: RefusalProps) {
  const wait = error instanceof Refused ? error.retryAfter : undefined;
  const left = useCountdown(wait, error);
  const id = error instanceof Refused ? error.errorId : undefined;
  return (
    <div ref={intoView} role="alert" className={`${look.message} ${look.refusal} ${look.stack} ${look.close}`}>
      <p>{sentenceOf(error)}</p>
      <p className={look.line}>
        {error instanceof Refused && error.code !== "INTERNAL_ERROR" && <code>{error.code}</code>}
        {id && <Copy text={id} what="the id of the error" />}
        {onRetry && (
          <Button onClick={onRetry} disabled={left > 0}>
            {left > 0 ? `Try again in ${left} s` : "Try again"}
          </Button>
        )}
      </p>
    </div>
  );
}

/** The sentence of an error; an error of the page itself is named a fault of the page. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused || error instanceof Unreachable) return error.message;
  return `The page has a fault: ${error instanceof Error ? error.message : String(error)}`;
}

/** Whether a name is that of a field: `zones.*` is `zones` with each of its values. */
const isOfField = (name: string | undefined, field: string) =>
  name === field || (field.endsWith(".*") && `${name}.`.startsWith(field.slice(0, -1)));

/** The sentences about one field of a form, and those about no field that the form has. */
export function reasonsByField(
  error: unknown,
  fields: readonly string[],
): { errorOf: (field: string) => string | undefined; rest: ReactNode } {
  const reasons = error instanceof Refused ? error.reasons : [];
  const errorOf = (field: string) =>
    reasons
      .filter((reason) => isOfField(reason.field, field))
      .map(({ message }) => message)
      .join(" ") || undefined;
  return { errorOf, rest: error && !fields.some(errorOf) ? <Refusal error={error} /> : null };
}

function useCountdown(seconds: number | undefined, from: unknown): number {
  const [left, setLeft] = useState(seconds ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal counts from its own start
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (!seconds) return;
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds, from]);
  return left;
}

/** A `ref` of the result of an action: scrolls to the result where it is out of sight, as below the fold of a phone. */
const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
