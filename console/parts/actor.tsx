/**
 * Who made a change, and through which interface. The fingerprint of the key and the whole address of the user show on hover.
 */
import { type Applied, authorName, fullAuthor, throughText } from "./author.ts";
import table from "./table.module.css";

export function ActorText({ change }: { readonly change: Applied }) {
  return (
    <span className={table.soft} title={fullAuthor(change)}>
      {authorName(change)}, {throughText(change)}
    </span>
  );
}
