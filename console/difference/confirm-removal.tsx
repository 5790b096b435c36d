/** Asks for consent to a change that removes much of a zone, before it can be applied. */
import type { RefObject } from "react";
import { Choice } from "../parts/field.tsx";
import { type DifferenceLine, removedCount } from "./difference.ts";

interface Props {
  readonly lines: readonly DifferenceLine[];
  /** Number of records of the zone. */
  readonly total: number;
  readonly checked: boolean;
  /** Whether it was tried to go on without it. */
  readonly isMissing: boolean;
  onChange(checked: boolean): void;
}

export function ConfirmRemoval({ lines, total, checked, isMissing, onChange }: Props) {
  const count = removedCount(lines);
  return (
    <Choice
      label={`Yes, remove ${count} of ${total} records (${Math.round((100 * count) / total)} %).`}
      hint={<span role="alert">{isMissing && !checked ? "✕ Nothing is applied before you agree to this." : ""}</span>}
      checked={checked}
      data-first
      data-consent
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/** Leads to the question. */
export const focusConsent = ({ current }: RefObject<HTMLElement | null>) =>
  current?.querySelector<HTMLElement>("[data-consent]")?.focus();
