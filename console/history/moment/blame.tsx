/**
 * The change that made something so: when, by whom, through which interface, with a link to it.
 */
import { Link } from "@tanstack/react-router";
import table from "../../parts/page/table.module.css";
import { authorName, fullAuthor, throughText } from "../../parts/text/author.ts";
import { Ago } from "../../parts/text/time.tsx";
import type { Author } from "./moment.ts";

interface BlameProps {
  /** Null when it is older than the journal. */
  readonly change: Author | null | undefined;
}

export function Blame({ change }: BlameProps) {
  if (!change) return <span className={table.soft}>before the journal</span>;
  const { id, createdAt } = change;
  return (
    <Link to="/changes/$change" params={{ change: id }} className={table.plain} title={titleOf(change)}>
      <span>
        <Ago time={createdAt} />{" "}
        <span className={table.soft}>
          {change.kind === "RESTORE" && "restored by "}
          {authorName(change)}, {throughText(change)}
        </span>
      </span>
    </Link>
  );
}

const titleOf = (change: Author) => `${change.serial}, ${fullAuthor(change)}${change.note ? `: ${change.note}` : ""}`;
