/** Leads to the history of the RRset that some records are of. */
import { Link } from "@tanstack/react-router";
import { buttonClass } from "../control/button.tsx";

export interface Rrset {
  readonly owner: string;
  readonly type: string;
}

interface RrsetHistoryProps {
  readonly zone: string;
  /** Undefined is one that is not stored. */
  readonly records: readonly (Rrset | undefined)[];
}

/** The RRset of records; undefined unless all of them are stored and of the same. */
export function rrsetOfAll([first, ...others]: RrsetHistoryProps["records"]): Rrset | undefined {
  return others.every((other) => other?.owner === first?.owner && other?.type === first?.type) ? first : undefined;
}

/** A link, where all of the records are stored and of one RRset. */
export function RrsetHistory({ zone, records }: RrsetHistoryProps) {
  const rrset = rrsetOfAll(records);
  if (!rrset) return null;
  const { owner, type } = rrset;
  return (
    <Link
      to="/zones/$zone/history"
      params={{ zone }}
      search={{ name: owner, type }}
      className={buttonClass("quiet")}
      aria-label={`History of ${owner} ${type}`}
    >
      History
    </Link>
  );
}
