/** Who made a change, as text: the user, where there is one, and the key. */

/** A change, as far as it says who made it. */
interface Authored {
  /** The name of the key, with the beginning of its fingerprint. */
  readonly actor: string;
  readonly user?: { readonly email: string } | null | undefined;
}

/** A change with its source, and of a change set with who applied it. */
export interface Applied extends Authored {
  readonly source: string;
  readonly appliedBy?: string | null | undefined;
}

/** Who applied the change set that a change is part of, where that is another key than made it. */
export const applierOf = ({ actor, appliedBy }: Applied) =>
  appliedBy === actor ? undefined : (appliedBy ?? undefined);

/** How a change came, as `console` or `applied by ops, console`. */
export function throughText(change: Applied): string {
  const applier = applierOf(change);
  return `${applier === undefined ? "" : `applied by ${keyName(applier)}, `}${change.source.toLowerCase()}`;
}

/** The name of a key, without the beginning of its fingerprint. */
export const keyName = (actor: string) => actor.replace(/ \([\da-f]{8}\)$/, "");

/** Who it was in short, as `ada · laptop`. */
export const authorName = ({ actor, user }: Authored) =>
  user ? `${personName({ actor, user })} · ${keyName(actor)}` : keyName(actor);

/** The person, or the key of nobody, as `ada`. */
export const personName = ({ actor, user }: Authored) => user?.email.replace(/@.*$/, "") ?? keyName(actor);

/** Who it was to the letter, as `ada@example.com · laptop (a0d623c6)`. */
export const fullAuthor = ({ actor, user }: Authored) => (user ? `${user.email} · ${actor}` : actor);

/** The two letters that stand for a person or a key. */
export function initialsOf(name: string): string {
  const [first = "", second = ""] = name.replace(/@.*/, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return second === "" ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1);
}
