/** What was typed into the composer of a zone, kept in the browser beside its draft. What was read is only believed as far as its form is right. */
import { composerPrefix, type TextStorage } from "../draft/draft-store.ts";
import { nothing, type Written } from "./record.ts";

const nameOf = (fingerprint: string, zone: string) => `${composerPrefix}${fingerprint}.${zone}`;

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string");

export function readRecord(storage: TextStorage, fingerprint: string, zone: string): Written {
  try {
    const { values, fields, isText } = JSON.parse(
      storage.getItem(nameOf(fingerprint, zone)) ?? "{}",
    ) as Partial<Written>;
    return isTexts(values) && isTexts(fields) ? { values, fields, isText: isText === true } : nothing;
  } catch {
    return nothing;
  }
}

export function keepRecord(storage: TextStorage, fingerprint: string, zone: string, written: Written): void {
  const name = nameOf(fingerprint, zone);
  const hasText = Object.values({ ...written.values, ...written.fields }).some((text) => text !== "");
  try {
    if (hasText) storage.setItem(name, JSON.stringify(written));
    else storage.removeItem(name);
  } catch {
    // Where the storage is full, it is only on the page.
  }
}
