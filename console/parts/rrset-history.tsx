/** Leads to the history of the RRset that some records are of. */
import { Link } from "@tanstack/react-router";
import { buttonClass } from "./button.tsx";

interface Rrset {
  readonly owner: string;
  readonly type: string;
}

interface RrsetHistoryProps {
  readonly zone: string;
  /** Undefined is one that is not stored. */
  readonly records: readonly (Rrset | undefined)[];
}

/** A link, where all of the records are stored and of one RRset. */
export function RrsetHistory({ zone, records: [first, ...others] }: RrsetHistoryProps) {
  if (!first || others.some((other) => other?.owner !== first.owner || other.type !== first.type)) return null;
  const { owner, type } = first;
  return (
    <Link
      to="/zones/$zone/rrset"
      params={{ zone }}
      search={{ owner, type }}
      className={buttonClass("quiet")}
      aria-label={`History of ${owner} ${type}`}
    >
      History
    </Link>
  );
}
