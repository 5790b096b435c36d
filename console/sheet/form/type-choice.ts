/** The types to choose from for a record, and why its name cannot have some of them. */
import type { RecordTypeInfo } from "../../api/record-types.ts";

/** Why a name that has records of these types cannot have one of another; undefined when it can (RFC 1034 §3.6.2). */
export function reasonAgainst(type: string, present: ReadonlySet<string>): string | undefined {
  if (present.has("CNAME"))
    return type === "" ? undefined : "This name is a CNAME, beside which there is no other record.";
  if (type !== "CNAME" || present.size === 0) return undefined;
  return `This name has ${[...present].slice(0, 3).join(", ")}, and a CNAME is alone at its name.`;
}

/** The types that begin with a text, the one that is meant first; those that the name cannot have are the last. */
export function typesLike(text: string, types: readonly RecordTypeInfo[], present: ReadonlySet<string>) {
  const start = text.trim().toUpperCase();
  const rank = ({ type, reason }: { type: string; reason: string | undefined }) =>
    (type === start ? 0 : 1) + (reason === undefined ? 0 : 2);
  return types
    .filter(({ type }) => type.startsWith(start))
    .map(({ type, description }) => ({ type, description, reason: reasonAgainst(type, present) }))
    .sort((a, b) => rank(a) - rank(b));
}
