/** Rows by their ids, for fields of several types. The rows of sibling fields are read by one query. */
import { type UserRow, usersByIds } from "../../../account/user.ts";
import { type ChangeRow, changesByIds } from "../../../zone/change.ts";
import { type DomainRow, domainsByIds } from "../../../zone/domain.ts";
import type { Context } from "../../context.ts";

type Id = number | null;

/** The user of an id; null without an id, and for a user who is deleted or whom the key may not see. */
export const userOf = async (id: Id, context: Context): Promise<UserRow | null> =>
  id === null ? null : ((await context.findRow("User", id, (ids) => usersByIds(context.session, ids))) ?? null);

/** The user of an id; null without an id. Throws NOT_FOUND when the user was deleted meanwhile. */
export const ownerOf = async (id: Id, context: Context): Promise<UserRow | null> =>
  id === null ? null : context.loadRow("User", id, (ids) => usersByIds(context.session, ids));

/** The domain of an id; null without an id, and for a domain that is deleted or that the key may not see. */
export const domainOf = async (id: Id, context: Context): Promise<DomainRow | null> =>
  id === null ? null : ((await context.findRow("Domain", id, (ids) => domainsByIds(context.session, ids))) ?? null);

/** The change of an id; null without an id, for 0, which is the time before the journal, and for a change that is not kept. */
export const changeOf = async (id: Id, context: Context): Promise<ChangeRow | null> =>
  id ? ((await context.findRow("Change", id, (ids) => changesByIds(context.session, ids))) ?? null) : null;
