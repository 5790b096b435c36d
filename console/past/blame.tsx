/**
 * Which change made something so: when, by whom, through which interface. It leads to that change.
 */
import { Link } from "@tanstack/react-router";
import { actorName } from "../parts/actor.tsx";
import table from "../parts/table.module.css";
import { Ago } from "../parts/time.tsx";
import type { Author } from "./moment.ts";

interface BlameProps {
  /** Null of what is from before the journal. */
  readonly change: Author | null | undefined;
}

export function Blame({ change }: BlameProps) {
  if (!change) return <span className={table.soft}>before the journal</span>;
  const { id, serial, createdAt, actor, door, note } = change;
  return (
    <Link to="/history/$change" params={{ change: id }} className={table.plain} title={titleOf(serial, actor, note)}>
      <span>
        <Ago time={createdAt} />{" "}
        <span className={table.soft}>
          {actorName(actor)}, {door.toLowerCase()}
        </span>
      </span>
    </Link>
  );
}

const titleOf = (serial: number, actor: string, note: string | null | undefined) =>
  `${serial}, ${actor}${note ? `: ${note}` : ""}`;
