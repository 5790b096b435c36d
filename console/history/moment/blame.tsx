/** The change that made something so, in a few words, with a link to it: `Nov 21 · deploy-bot · load balancer`. */
import { Link } from "@tanstack/react-router";
import look from "../../parts/look.module.css";
import { kindWords } from "../../parts/stream/change-row.tsx";
import { fullAuthor, personName } from "../../parts/text/author.ts";
import { dateText, momentText } from "../../parts/text/time.tsx";
import type { Author } from "./moment.ts";

/** `change` is null when it is older than the journal. */
export function Blame({ change }: { readonly change: Author | null | undefined }) {
  if (!change) return <span className={look.faint}>before the journal</span>;
  const { id, serial, createdAt, note } = change;
  const title = `${serial}, ${momentText(createdAt)}, ${fullAuthor(change)}${note ? `: ${note}` : ""}`;
  return (
    <Link to="/changes/$change" params={{ change: id }} className={look.bare} title={title}>
      {[dateText(createdAt), personName(change), note ?? wordOf(change)].filter(Boolean).join(" · ")}
    </Link>
  );
}

/** What it was in a word, where it has no note. */
function wordOf({ kind, source }: Author): string {
  if (kind !== "EDIT") return kindWords[kind];
  return source === "IMPORT" ? "import" : "";
}
