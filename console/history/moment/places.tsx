/**
 * Links from one page of the past to another, of a zone or of a deleted one.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Past } from "./moment.ts";
import type { PastFilter } from "./queries.ts";

interface MomentLinkProps {
  readonly past: Past;
  /** As addresses name it. */
  readonly moment: string;
  /** What its records are selected by. */
  readonly filter?: PastFilter;
  /** Whether it is the moment that is shown, and another takes its place in the history of the browser. */
  readonly isHere?: boolean | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Leads to a zone as it was at a moment. */
export function MomentLink({ past, moment, filter = {}, isHere, className, children }: MomentLinkProps) {
  const shared = {
    replace: isHere !== undefined,
    resetScroll: isHere === undefined,
    "aria-current": isHere ? ("true" as const) : undefined,
    className,
    activeProps: {},
  };
  return "zone" in past ? (
    <Link {...shared} to="/zones/$zone/history/$moment" params={{ zone: past.zone, moment }} search={filter}>
      {children}
    </Link>
  ) : (
    <Link
      {...shared}
      to="/settings/deleted/$domain"
      params={{ domain: past.deleted }}
      search={{ ...filter, at: moment }}
    >
      {children}
    </Link>
  );
}

interface RrsetLinkProps {
  readonly past: Past;
  readonly rrset: { readonly owner: string; readonly type: string };
  readonly children: ReactNode;
}

/** Leads to all versions of an RRset. */
export function RrsetLink({ past, rrset: { owner, type }, children }: RrsetLinkProps) {
  const search = { owner, type };
  return "zone" in past ? (
    <Link to="/zones/$zone/rrset" params={past} search={search}>
      {children}
    </Link>
  ) : (
    <Link to="/settings/deleted/$domain/rrset" params={{ domain: past.deleted }} search={search}>
      {children}
    </Link>
  );
}
