/** What became of a change: how far it is published, and to which change it goes back. */
import { Link } from "@tanstack/react-router";
import type { ChangeKind, PublicationState } from "../api/generated/graphql.ts";
import { State } from "../parts/zone/state.tsx";
import type { ShownChange } from "./queries.ts";

interface Published {
  readonly kind: ChangeKind;
  readonly publication: { readonly state: PublicationState } | null;
  readonly domain: unknown;
}

export function ChangeState({ change: { kind, publication, domain } }: { readonly change: Published }) {
  if (!publication) return null;
  if (kind === "DELETE" && domain !== null) return <span>restored since</span>;
  if (kind === "DELETE" && publication.state === "LIVE") return <span>no longer served</span>;
  return <State state={publication.state} />;
}

export function Return({ change: { undoes, returnsTo } }: { readonly change: ShownChange }) {
  const other = undoes ?? returnsTo;
  if (!other) return null;
  return (
    <span>
      {undoes ? "undoes" : "returns to"}{" "}
      <Link to="/changes/$change" params={{ change: other.id }}>
        {other.serial}
      </Link>
    </span>
  );
}
