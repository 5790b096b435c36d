/** The edited text of a zone in the browser's storage, so that a reload does not lose it. */
import { type TextStorage, textPrefix } from "../sheet/draft/draft-store.ts";

/** A text that was edited, and the serial of the zone that it was read from. */
export interface TextDraft {
  readonly serial: number;
  readonly text: string;
}

const keyOf = (fingerprint: string, zone: string) => `${textPrefix}${fingerprint}.${zone}`;

export function readTextDraft(storage: TextStorage, fingerprint: string, zone: string): TextDraft | undefined {
  try {
    const { serial, text } = JSON.parse(storage.getItem(keyOf(fingerprint, zone)) ?? "{}") as Partial<TextDraft>;
    return typeof serial === "number" && typeof text === "string" ? { serial, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, or forgets it; returns whether the browser took it. */
export function keepTextDraft(
  storage: TextStorage,
  fingerprint: string,
  zone: string,
  draft: TextDraft | undefined,
): boolean {
  try {
    if (draft) storage.setItem(keyOf(fingerprint, zone), JSON.stringify(draft));
    else storage.removeItem(keyOf(fingerprint, zone));
    return true;
  } catch {
    return false;
  }
}
