/** Rows by id, for fields of several types. One query reads the rows of sibling fields. */
import { type UserRow, usersByIds } from "../../../account/user.ts";
import { type ChangeRow, changesByIds } from "../../../zone/change.ts";
import { type DomainRow, domainsByIds } from "../../../zone/domain.ts";
import type { Context } from "../../context.ts";

type Id = number | null;

/** The user with an id; null without an id, and for a user who was deleted or whom the session does not see. */
export const userOf = async (id: Id, context: Context): Promise<UserRow | null> =>
  id === null ? null : ((await context.findRow("User", id, (ids) => usersByIds(context.session, ids))) ?? null);

/** The user with an id; null without an id. Throws NOT_FOUND when the user was just deleted. */
export const ownerOf = async (id: Id, context: Context): Promise<UserRow | null> =>
  id === null ? null : context.loadRow("User", id, (ids) => usersByIds(context.session, ids));

/** The domain with an id; null without an id, and for a domain that was deleted or that the session does not see. */
export const domainOf = async (id: Id, context: Context): Promise<DomainRow | null> =>
  id === null ? null : ((await context.findRow("Domain", id, (ids) => domainsByIds(context.session, ids))) ?? null);

/**
 * The change with an id; null without an id, for 0 (the time before the journal), and for a change that is not kept.
 */
export const changeOf = async (id: Id, context: Context): Promise<ChangeRow | null> =>
  id ? ((await context.findRow("Change", id, (ids) => changesByIds(context.session, ids))) ?? null) : null;
