/** Names in texts: as they are stored with the Unicode beside them, and with the zone's part faint. */
import { Fragment } from "react";
import look from "../look.module.css";
import { unicodeText } from "../text/names.ts";

export function Named({ text }: { readonly text: string }) {
  const shown = unicodeText(text);
  if (shown === text) return text;
  return (
    <>
      {text} <span className={look.soft}>{shown}</span>
    </>
  );
}

/** A text in which the zone's part of names is faint. */
export function OfZone({ text, zone }: { readonly text: string; readonly zone: string }) {
  const part = `.${zone}.`;
  if (!text.includes(part)) return text;
  const [first, ...others] = text.split(part);
  return (
    <>
      {first}
      {others.map((other, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
        <Fragment key={at}>
          <span className={look.faint}>{part}</span>
          {other}
        </Fragment>
      ))}
    </>
  );
}
