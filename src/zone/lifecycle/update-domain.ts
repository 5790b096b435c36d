/** Sets the labels of a domain and its review. Its user may make the review stricter; an administrator may set any review. */

import { isFreer, ReviewPolicy } from "../../account/review-policy.ts";
import { User } from "../../account/user.ts";
import { Refusal } from "../../errors.ts";
import { mayAdminister, mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Domain, type DomainRow, domainByZone, noSuchZone, readZone } from "../domain.ts";
import { setLabels } from "../domain-annotations.ts";
import { lockDomain } from "../edit/stored-zone.ts";
import { inZoneTurn } from "../edit/zone-queue.ts";
import type { Label } from "../label.ts";

const d = table(Domain, "d");
const u = table(User, "u");

/** New values of a domain; an undefined field keeps its value. With review null, the review of the domain's user applies. */
interface DomainEdits {
  readonly labels?: readonly Label[] | undefined;
  readonly review?: ReviewPolicy | null | undefined;
}

export async function updateDomain(
  session: Session,
  zone: string,
  { labels, review }: DomainEdits,
): Promise<DomainRow> {
  mayWrite(session.actor);
  const name = readZone(zone);
  if (!labels && review === undefined) {
    const message = "labels is missing; send the labels, or the review, or both.";
    throw new Refusal("MISSING_FIELD", message, { field: "labels" });
  }
  return inZoneTurn(session, name, () =>
    transaction(session, async (inner) => {
      if (labels) await setLabels(inner, name, labels);
      if (review !== undefined) await setReview(inner, name, review);
      return domainByZone(inner, name);
    }),
  );
}

async function setReview(session: Session, zone: string, review: ReviewPolicy | null): Promise<void> {
  const before = await lockDomain(session, session.actor, zone);
  if (!before) throw noSuchZone(zone);
  const ofOwner = sql`(select ${u.review} from ${u} where ${u.id} = ${d.userId})`;
  await sql`
    update ${d} set ${d.names("review")} = ${review},
      ${d.names("demands")} = coalesce(${review}, ${ofOwner}, ${sql.lit(ReviewPolicy.NONE)}) where ${d.id} = ${before.id}`.run(
    session,
  );
  const after = await lockDomain(session, session.actor, zone);
  // Thrown inside the transaction, which is then rolled back.
  if (after && isFreer(after.demands, before.demands)) mayAdminister(session.actor);
}
