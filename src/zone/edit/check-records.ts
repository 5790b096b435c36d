/** Checks records while a user types them: each record by itself, without storing it. */
import { collectReasons, type Reason, Refusal } from "../../errors.ts";
import { defaultTtl } from "../../session/operator-policy.ts";
import type { Session } from "../../session/session.ts";
import { domainByZone } from "../domain.ts";
import { parseRecord, type RecordFields } from "./canonical-record.ts";
import type { WithNotices } from "./notice.ts";

export interface RecordCheckResult extends WithNotices {
  readonly ok: boolean;
  readonly owner: string | null;
  readonly type: string | null;
  readonly ttl: number | null;
  readonly rdata: string | null;
  readonly refusals: readonly Reason[];
}

const maxRecords = 1000;

export async function checkRecords(
  session: Session,
  zone: string,
  records: readonly RecordFields[],
): Promise<RecordCheckResult[]> {
  if (records.length > maxRecords) {
    throw new Refusal("INVALID_VALUE", `records holds ${records.length} records; send at most ${maxRecords}.`, {
      field: "records",
    });
  }
  const domain = await domainByZone(session, zone);
  return records.map((fields): RecordCheckResult => {
    const reasons: Reason[] = [];
    const record = collectReasons(reasons, () => parseRecord(fields, domain.zone, session.policy));
    if (record) {
      const { owner, type, ttl = defaultTtl(session.policy), rdata, notices } = record;
      return { ok: true, owner, type, ttl, rdata, notices, refusals: [] };
    }
    return { ok: false, owner: null, type: null, ttl: null, rdata: null, notices: [], refusals: reasons };
  });
}
