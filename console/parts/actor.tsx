/**
 * Who made a change, and through which interface. The fingerprint of the key and the whole address of the user show on hover.
 */
import type { Door } from "../api/generated/graphql.ts";
import { type Authored, authorName, fullAuthor } from "./author.ts";
import table from "./table.module.css";

export function ActorText({ change }: { readonly change: Authored & { readonly door: Door } }) {
  return (
    <span className={table.soft} title={fullAuthor(change)}>
      {authorName(change)}, {change.door.toLowerCase()}
    </span>
  );
}
