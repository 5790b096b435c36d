/** Stores the change that brings records back, from a plan of return-plan.ts. */
import { onRefusal, type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { type ChangeOptions, changeZone, type ZoneChange } from "../edit/change-zone.ts";
import { withoutField } from "../edit/notice.ts";
import type { StoredZone } from "../edit/stored-zone.ts";
import { planReturn, type ReturnLine } from "./return-plan.ts";

/** The most lines of one such change, which holds them in memory. */
export const maxReturnLines = 100_000;

/** Changes a zone by the lines of a difference; records get their former TTLs. Throws TOO_LARGE for more than `maxReturnLines` lines. */
export async function changeBack(
  session: Session,
  zone: string,
  differ: (stored: StoredZone) => Promise<readonly ReturnLine[]>,
  options: ChangeOptions,
): Promise<ZoneChange> {
  const plan = async (stored: StoredZone) => {
    const lines = await differ(stored);
    if (lines.length > maxReturnLines) throw tooManyLines(zone);
    return planReturn(session.policy, stored, lines);
  };
  const change = await withoutFields(() =>
    changeZone({ ...session, ttlChoices: undefined }, zone, { prefetch: { owners: ["@"], ids: [] }, plan }, options),
  );
  return { ...change, notices: change.notices.map(withoutField) };
}

export function tooManyLines(zone: string): Refusal {
  const message = `More than ${maxReturnLines} records of ${zone} would change; export the moment as a master file, and import that with mode=replace.`;
  return new Refusal("TOO_LARGE", message);
}

/** The fields of records in reasons; a request to revert does not have them. */
const recordFields: ReadonlySet<string | undefined> = new Set(["id", "owner", "type", "ttl", "rdata"]);

export function withoutFields<Result>(run: () => Promise<Result>): Promise<Result> {
  const about = ({ field, edits: _, ...reason }: Reason): Reason =>
    recordFields.has(field) ? reason : { ...reason, field };
  return onRefusal(run, ({ reasons, details }) => {
    throw Refusal.of(reasons.map(about), details);
  });
}
