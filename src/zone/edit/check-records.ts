/** Checks records while a user types them: each record by itself, without storing it. */
import type { Code } from "../../error-codes.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { defaultTtl } from "../../session/operator-policy.ts";
import type { Session } from "../../session/session.ts";
import { domainByZone } from "../domain.ts";
import { type CanonicalRecord, parseRecord, type RecordFields } from "./canonical-record.ts";
import type { WithNotices } from "./notice.ts";

export interface RecordCheckResult extends WithNotices {
  readonly ok: boolean;
  readonly owner: string | null;
  readonly type: string | null;
  readonly ttl: number | null;
  readonly rdata: string | null;
  readonly refusals: readonly { readonly code: Code; readonly field: string | null; readonly message: string }[];
}

const maxRecords = 1000;

/** Checks at most `maxRecords` records of a zone; returns their results in the same order. */
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
  return records.map((fields) => {
    try {
      return accepted(parseRecord(fields, domain.zone, session.policy), defaultTtl(session.policy));
    } catch (error) {
      if (error instanceof Refusal) return refused(error.reasons);
      throw error;
    }
  });
}

function accepted({ owner, type, ttl, rdata, notices }: CanonicalRecord, fallbackTtl: number): RecordCheckResult {
  return {
    ok: true,
    owner,
    type,
    ttl: ttl ?? fallbackTtl,
    rdata,
    notices,
    refusals: [],
  };
}

function refused(reasons: readonly Reason[]): RecordCheckResult {
  const refusals = reasons.map(({ code, field, message }) => ({ code, field: field ?? null, message }));
  const nothing = { owner: null, type: null, ttl: null, rdata: null };
  return { ok: false, ...nothing, notices: [], refusals };
}
