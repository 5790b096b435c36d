/**
 * What a user has of what quotas limit, and how much of it the user may have.
 */
import css from "./state.module.css";

/** Counted things as a quota limits them, each in the singular. */
const things = { domains: "zone", records: "record", changes: "change" } as const;

interface FigureProps {
  readonly of: keyof typeof things;
  /** What is used, and the limit where it is shown. */
  readonly quota: { readonly usage: number | null | undefined; readonly limit?: number | null | undefined };
  /** Added after what is counted. */
  readonly more?: string;
}

/** A figure with its limit, if there is one: `3 of 50 zones`. */
export function Figure({ of, quota: { usage: used, limit }, more = "" }: FigureProps) {
  if (typeof used !== "number") return null;
  const shown =
    typeof limit === "number" ? `${used.toLocaleString()} of ${limit.toLocaleString()}` : used.toLocaleString();
  const count = limit ?? used;
  const isFull = typeof limit === "number" && used >= limit;
  return (
    <span className={isFull ? css.full : undefined}>
      {shown} {things[of]}
      {count === 1 ? "" : "s"}
      {more}
    </span>
  );
}
