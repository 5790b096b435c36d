/**
 * Imports a master file: replaces a zone, or merges the file into it, in one transaction and one change. The file is staged and compared
 * with the stored zone by sets (staging-sql.ts), so memory does not grow with the number of records. zone/edit/finish-change.ts checks the
 * resulting zone in batches of owners and stores the difference. A dry run stores nothing.
 */
import type { Chunks } from "../../dns/master-file/read.ts";
import { serialDistance, serialIsGreater } from "../../dns/serial.ts";
import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import { lameZonesWarning } from "../../session/operator-policy.ts";
import type { Session } from "../../session/session.ts";
import { allowTimeFor, rolledBack, transaction } from "../../session/transaction.ts";
import type { EndTurn } from "../../turns/fair-queue.ts";
import { type ChangeRow, lastSerialOfName } from "../change.ts";
import type { ShownRecord } from "../change-record.ts";
import { type DomainRow, domainByZone, noSuchZone, readZone, type StoredDomain } from "../domain.ts";
import { parseRecord } from "../edit/canonical-record.ts";
import type { CheckedChange } from "../edit/change-statement.ts";
import { expectSerial } from "../edit/edit-plan.ts";
import { checkedChange, checkRules, expectAffordable, finishChange } from "../edit/finish-change.ts";
import { movedTtlNotice, type WithNotices } from "../edit/notice.ts";
import { differsBesidesSerial, maxLeap, serialOf, serialOfChange, withSerial } from "../edit/soa-serial.ts";
import { lockDomain, readSoa } from "../edit/stored-zone.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";
import { zoneTurn } from "../edit/zone-queue.ts";
import { defaultRecords } from "../lifecycle/default-records.ts";
import { checkNewDomain, insertDomain } from "../lifecycle/domain-lifecycle.ts";
import { noticesOfFormer } from "../lifecycle/name-history.ts";
import { type Loss, lossOf } from "../loss.ts";
import { exceeded, zoneQuota } from "../quota/quota.ts";
import { touchedOwners } from "./imported-zone.ts";
import { type StagedFile, type StageOptions, stageMasterFile } from "./stage.ts";
import {
  countDifference,
  type ImportMode,
  movedTtls,
  type StagedRecord,
  showDifference,
  stage,
  stageDifference,
  stagedRdata,
} from "./staging-sql.ts";

/** An import. A zone that does not exist is created for the user `userId`, if given. */
interface ImportRequest extends Omit<StageOptions, "mayGoOn" | "onRecords"> {
  readonly zone: string;
  readonly text: Chunks;
  readonly userId?: number | undefined;
  readonly expectedSerial?: number | null | undefined;
  readonly dryRun?: boolean;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** The progress of an import: the number of records read, then the number of owners checked of all, then the storing. */
export type ImportProgress =
  | { readonly step: "reading"; readonly done: number }
  | { readonly step: "checking"; readonly done: number; readonly of: number }
  | { readonly step: "storing" };

/**
 * The result of an import. `added` and `removed` count records without the SOA. The lists show the first `maxShown` records, with the SOA
 * first if a replacement changes more of it than its serial.
 */
export interface ImportResult extends WithNotices {
  /** The number of all notices; at most 100 are in `notices`. */
  readonly noticeCount: number;
  readonly change: ChangeRow | null;
  /** The serial of the zone after the import; null when a dry run would create the zone. */
  readonly serial: number | null;
  readonly added: number;
  readonly removed: number;
  readonly addedRecords: readonly ShownRecord[];
  readonly removedRecords: readonly ShownRecord[];
  readonly loss: Loss;
}

const maxShown = 1000;

/** Imports a master file, all or nothing; throws a Refusal that has every problem with its line. */
export async function importZone(session: Session, request: ImportRequest): Promise<ImportResult> {
  mayWrite(session.actor);
  const zone = readZone(request.zone);
  // Checked before the file is read, to refuse early. The serial may still change until the zone is locked.
  if (request.userId === undefined || isGiven(request.expectedSerial))
    expectSerial(await domainByZone(session, zone), request.expectedSerial);
  else await checkNewDomain(session, request.userId, zone);
  const mayGoOn = await limitOf(session, zone, request.userId);
  let endTurn: EndTurn | undefined;
  try {
    const run = async (inner: Session) => {
      const onRecords = (done: number) => request.onProgress?.({ step: "reading", done });
      const file = await stageMasterFile(inner, zone, request.text, session.policy, {
        ...request,
        onRecords,
        mayGoOn,
      });
      expectImportable(session, file.records);
      // Other changes of the zone may run until the whole file has arrived.
      endTurn = await zoneTurn(session, zone);
      return importInto(inner, zone, file, request);
    };
    const inTransaction = request.dryRun ? rolledBack : transaction;
    return await inTransaction({ ...session, source: "import" }, run, { isRepeatable: false });
  } finally {
    endTurn?.();
  }
}

/** Returns a function that throws when an import has more records than the service imports or than the quota of the zone's user allows. */
async function limitOf(session: Session, zone: string, userId: number | undefined): Promise<(records: number) => void> {
  const quota = await zoneQuota(session, zone, userId);
  return (records) => {
    expectImportable(session, records);
    // The SOA is not staged, hence + 1. A zone above its quota may still lose records.
    if (quota && records + 1 > Math.max(quota.limit, quota.usage)) throw exceeded(quota, records + 1);
  };
}

function expectImportable({ policy }: Session, records: number): void {
  const { importRecords } = policy;
  if (records <= importRecords) return;
  const message = `The file has more than ${importRecords} records, the most that are imported; delegate parts of the zone, or have the operator raise IMPORT_RECORDS.`;
  throw new Refusal("TOO_LARGE", message);
}

const isGiven = (serial: number | null | undefined) => serial !== undefined && serial !== null;

async function importInto(
  session: Session,
  zone: string,
  file: StagedFile,
  request: ImportRequest,
): Promise<ImportResult> {
  const { mode, dryRun = false } = request;
  const domain = (await lockDomain(session, session.actor, zone)) ?? (await createFor(session, zone, request, file));
  expectSerial(domain, request.expectedSerial);
  await allowTimeFor(session, file.records + domain.recordCount);
  const storedSoa = await readSoa(session, domain.id);
  const soa = chooseSoa(session, domain, mode, file, storedSoa);
  if (mode === "REPLACE") await warnOfNameServers(session, file);
  const differs = await stageDifference(session, domain.id, mode);
  if (differs && mode === "MERGE")
    file.notices.add(...(await movedTtls(session, 100)).map((moved) => movedTtlNotice(moved)));
  const isChanged = differs || !storedSoa || storedSoa.rdata !== soa.rdata || storedSoa.ttl !== soa.ttl;
  const imported = { storedSoa, soa, mode, file, onProgress: request.onProgress };
  const checked = isChanged ? await checkImport(session, domain, imported) : undefined;
  const { added, removed, lost } = await countDifference(session);
  if (checked) await expectAffordable(session, checked, added - removed + (storedSoa ? 0 : 1));
  const change = checked && !dryRun ? (await finishChange(session, checked)).change : null;
  const shownSoas = storedSoa && checked?.difference;
  return {
    change,
    serial: change?.serial ?? (storedSoa ? domain.serial : null),
    added,
    removed,
    addedRecords: withSoas(shownSoas?.added, await showDifference(session, false, maxShown)),
    removedRecords: withSoas(shownSoas?.removed, await showDifference(session, true, maxShown)),
    loss: lossOf(domain.zone, domain.recordCount, lost),
    notices: file.notices.list(),
    noticeCount: file.notices.count,
  };
}

function withSoas(soas: readonly WorkingRecord[] = [], shown: readonly ShownRecord[]): readonly ShownRecord[] {
  const first = soas.map(({ id, owner, type, ttl, rdata }) => ({ recordId: id ?? null, owner, type, ttl, rdata }));
  return [...first, ...shown].slice(0, maxShown);
}

/** Creates the domain for the user of the request. A merged file without NS records at the apex gets the service's name servers. */
async function createFor(
  session: Session,
  zone: string,
  { userId, mode, expectedSerial }: ImportRequest,
  file: StagedFile,
): Promise<StoredDomain> {
  if (userId === undefined || isGiven(expectedSerial)) throw noSuchZone(zone);
  await insertDomain(session, userId, zone);
  file.notices.add(...(await noticesOfFormer(session, zone)));
  const [soa] = file.soas;
  if (mode === "MERGE" && soa)
    file.notices.addLine(
      "DEFAULT_RECORDS",
      soa,
      "the zone is created with the service's SOA: a merge leaves out the SOA of the file, a replacement takes it.",
    );
  if (mode === "MERGE" && (await stagedRdata(session, "@", "NS")).length === 0) {
    await stage(session, defaultsOf(session, zone, "NS"));
    const message = "The file has no NS record at the apex; the zone was given the service's name servers.";
    file.notices.add({ code: "DEFAULT_RECORDS", message, owner: "@", type: "NS" });
  }
  return (await lockDomain(session, session.actor, zone)) as StoredDomain;
}

async function warnOfNameServers(session: Session, file: StagedFile): Promise<void> {
  const names = await stagedRdata(session, "@", "NS");
  const { nameServers } = session.policy;
  if (names.length === 0 || lameZonesWarning(nameServers) !== undefined) return;
  if (names.some((name) => nameServers.includes(name))) return;
  const message = `The zone's name servers are those of the file (${names.join(", ")}); none of them is in NAME_SERVERS (${nameServers.join(", ")}).`;
  file.notices.add({ code: "OTHER_NAME_SERVERS", message, owner: "@", type: "NS" });
}

function defaultsOf({ policy }: Session, zone: string, type: "SOA" | "NS"): StagedRecord[] {
  const records = defaultRecords(zone, policy).filter((fields) => fields.type === type);
  return records.map((fields, at) => {
    const { notices: _none, ...record } = parseRecord(fields, zone, policy);
    return { ...record, ttl: fields.ttl as number, line: -at };
  });
}

/**
 * The SOA that the zone will have, before its change sets the serial. A merge keeps the zone's SOA. A replacement needs exactly one SOA
 * in the file; its serial is replaced by the zone's unless it is greater.
 */
export function chooseSoa(
  session: Session,
  { zone }: DomainRow,
  mode: ImportMode,
  { soas: [first, second], notices }: StagedFile,
  stored: WorkingRecord | undefined,
): WorkingRecord {
  if (mode === "MERGE") return stored ?? withoutLine(defaultsOf(session, zone, "SOA")[0] as StagedRecord, undefined);
  if (!first) throw soaRefusal("The file has no SOA record at the apex; a replacement needs one.");
  if (second) throw soaRefusal("The file has a second SOA record; a zone has one.", second.line);
  const soa = withoutLine(first, stored?.id);
  if (!stored) return soa;
  const [present, next] = [serialOf(stored), serialOf(soa)];
  if (!serialIsGreater(next, present)) return withSerial(soa, present);
  if (serialDistance(present, next) > maxLeap)
    notices.addLine("SERIAL_LEAP", first, `the serial leaps from ${present} to ${next}; secondaries never go back.`);
  return soa;
}

function withoutLine({ line: _line, ...record }: StagedRecord, id: number | undefined): WorkingRecord {
  return { ...record, id };
}

function soaRefusal(message: string, line?: number): Refusal {
  const text = line === undefined ? message : `line ${line}: ${message}`;
  return Refusal.of([{ code: "RECORD_CONFLICT", message: text, line }]);
}

interface Imported {
  readonly storedSoa: WorkingRecord | undefined;
  readonly soa: WorkingRecord;
  readonly mode: ImportMode;
  readonly file: StagedFile;
  readonly onProgress: ImportRequest["onProgress"];
}

/** Checks the zone as the staged difference leaves it. A replacement requests the serial of its file. */
async function checkImport(
  session: Session,
  domain: StoredDomain,
  { storedSoa, soa, mode, file, onProgress }: Imported,
): Promise<CheckedChange> {
  const onChecked = onProgress && ((done: number, of: number) => onProgress({ step: "checking", done, of }));
  await checkRules(touchedOwners(session, domain, soa, onChecked), (notices) => file.notices.add(...notices));
  const previousSerial = storedSoa ? serialOf(storedSoa) : null;
  const serial = serialOfChange(session, {
    last: previousSerial ?? (await lastSerialOfName(session, domain.zone)),
    requested: mode === "REPLACE" ? serialOf(soa) : undefined,
  });
  onProgress?.({ step: "storing" });
  const soas =
    storedSoa && !differsBesidesSerial(storedSoa, soa)
      ? { removed: [], added: [] }
      : { removed: storedSoa ? [storedSoa] : [], added: [withSerial(soa, serial)] };
  return checkedChange(session, { domain, previousSerial, serial }, { ...soas, isStaged: true });
}
