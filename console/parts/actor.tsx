/**
 * Who made a change: the name of the key, and through which interface. The fingerprint behind the name shows on hover.
 */
import type { Door } from "../api/generated/graphql.ts";
import table from "./table.module.css";

/** The name of the key, without the beginning of its fingerprint. */
export const actorName = (actor: string) => actor.replace(/ \([\da-f]{8}\)$/, "");

export function ActorText({ actor, door }: { readonly actor: string; readonly door: Door }) {
  return (
    <span className={table.soft} title={actor}>
      {actorName(actor)}, {door.toLowerCase()}
    </span>
  );
}
