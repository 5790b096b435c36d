/**
 * Sets the quotas of a user, which only an administrator does.
 */
import { LockMode } from "@mikro-orm/core";
import { User, type UserRow, userById } from "../../account/user.ts";
import { noSuch, Refusal } from "../../errors.ts";
import { mayAdminister } from "../../session/authorization.ts";
import { maxQuota, type Quota, type QuotaName, quotaNames } from "../../session/quota.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { isMetered, setMetered } from "./metering.ts";

/** New quotas: a number is the limit, null none, `default` that of the settings; what is left out stays as it is. */
export type QuotaEdits = { readonly [Name in QuotaName]?: number | null | "default" | undefined };

/** Sets quotas of a user; nothing that the user has is taken away. */
export async function setUserQuota(session: Session, id: number, edits: QuotaEdits): Promise<UserRow> {
  mayAdminister(session.actor);
  const names = quotaNames.filter((name) => edits[name] !== undefined);
  if (names.length === 0)
    throw new Refusal("MISSING_FIELD", `domains is missing; send one of ${quotaNames.join(", ")}.`, {
      field: "domains",
    });
  for (const name of names) expectLimit(name, edits[name]);
  return transaction(session, async (inner) => {
    const user = await inner.em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) throw noSuch("user", id);
    user.quota = withEdits(user.quota, edits);
    await inner.em.flush();
    const metered = isMetered(inner, user.quota);
    if (metered !== user.metered) await setMetered(inner, [id], metered);
    return userById(inner, id);
  });
}

function expectLimit(name: QuotaName, limit: QuotaEdits[QuotaName]): void {
  if (typeof limit !== "number" || (Number.isInteger(limit) && limit >= 0 && limit <= maxQuota)) return;
  const message = `${name}.limit is ${limit}; write a limit from 0 to ${maxQuota}, or null for none.`;
  throw new Refusal("INVALID_VALUE", message, { field: `${name}.limit` });
}

function withEdits(set: Partial<Quota>, edits: QuotaEdits): Partial<Quota> {
  const all = quotaNames.flatMap((name): [QuotaName, number | null][] => {
    const limit = edits[name] === undefined ? set[name] : edits[name];
    return limit === undefined || limit === "default" ? [] : [[name, limit]];
  });
  return Object.fromEntries(all);
}
