/**
 * Plans the return of records: turns the difference between the present zone and an earlier one into edits. A returning record takes the
 * id of a present record with equal data. Otherwise an edited record is edited back, and a removed record is added under its former id,
 * unless that id is in use.
 */
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { withSoaSerial } from "../../dns/rdata/soa.ts";
import { serial } from "../../dns/serial.ts";
import { type Reason, Refusal } from "../../errors.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { type CanonicalRecord, digestOf, parseWireRecord } from "../edit/canonical-record.ts";
import type { Plan, PlannedWrite } from "../edit/edit-plan.ts";
import { isApexSoa, serialOf } from "../edit/soa-serial.ts";
import type { StoredZone } from "../edit/stored-zone.ts";

export interface ReturnLine {
  readonly removed: boolean;
  readonly recordId: number;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly wire: Uint8Array;
}

/**
 * The TTL and the digest of a record as one text, such as `300 ab12…`, equal for equal content. An SOA is hashed without its serial,
 * which every change raises. A given `digest` is not computed again.
 */
export function contentOf(
  record: Pick<ReturnLine, "owner" | "type" | "wire"> & {
    readonly ttl?: number | null | undefined;
    readonly digest?: string | undefined;
  },
): string {
  const { type, ttl, wire, digest } = record;
  if (isApexSoa(record)) return `${ttl} ${digestOf(recordType(type), withSoaSerial(wire, serial(0)))}`;
  return `${ttl} ${digest ?? digestOf(recordType(type), wire)}`;
}

const identity = ({ owner, type, wire }: ReturnLine) => `${owner} ${type} ${digestOf(recordType(type), wire)}`;

/** Plans the return of records; throws a Refusal with every record that is no longer accepted. */
export async function planReturn(policy: Policy, stored: StoredZone, lines: readonly ReturnLine[]): Promise<Plan> {
  const going = new Map(lines.filter((line) => line.removed && !isApexSoa(line)).map((line) => [line.recordId, line]));
  const coming = lines.filter((line) => !line.removed && !isApexSoa(line));
  const writes: PlannedWrite[] = await soaWrites(policy, stored, lines);
  const reasons: Reason[] = [];
  const write = (line: ReturnLine, to: Pick<PlannedWrite, "id" | "formerId">) => {
    if (to.id !== undefined) going.delete(to.id);
    const record = readAgain(line, policy, reasons);
    if (record) writes.push({ ...to, record, path: "" });
  };
  const equal = new Map([...going.values()].map((line) => [identity(line), line.recordId]));
  const others = coming.filter((line) => {
    const id = equal.get(identity(line));
    if (id !== undefined) write(line, { id });
    return id === undefined;
  });
  const present = new Set((await stored.byId(others.map(({ recordId }) => recordId))).map(({ id }) => id));
  for (const line of others) {
    const { recordId } = line;
    if (going.has(recordId)) write(line, { id: recordId });
    else write(line, { id: undefined, formerId: present.has(recordId) ? undefined : recordId });
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
  return {
    remove: [...going.keys()].map((id) => ({ id, field: "id" })),
    writes,
    owners: [...new Set(lines.map(({ owner }) => owner))],
  };
}

/** The edit that gives the SOA its former fields; the change sets its serial. */
async function soaWrites(policy: Policy, stored: StoredZone, lines: readonly ReturnLine[]): Promise<PlannedWrite[]> {
  const former = lines.find((line) => !line.removed && isApexSoa(line));
  if (!former) return [];
  const soa = (await stored.at(["@"])).find(isApexSoa);
  const wire = soa ? withSoaSerial(former.wire, serialOf(soa)) : former.wire;
  const reasons: Reason[] = [];
  const record = readAgain({ ...former, wire }, policy, reasons);
  if (!record) throw Refusal.of(reasons);
  return [{ id: soa?.id, formerId: soa ? undefined : former.recordId, record, path: "", serialDemand: "present" }];
}

/** The record as it is accepted today; undefined when it is not accepted, with the reasons added to `reasons`. */
function readAgain(line: ReturnLine, policy: Policy, reasons: Reason[]): CanonicalRecord | undefined {
  const { owner, type, ttl, wire } = line;
  try {
    return parseWireRecord({ owner, type: recordType(type).code, ttl, rdata: wire }, policy, "");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const about = (reason: Reason): Reason => ({
      code: reason.code,
      message: `${owner} ${type}: ${reason.message}`,
      owner,
      type,
    });
    reasons.push(...error.reasons.map(about));
    return undefined;
  }
}
