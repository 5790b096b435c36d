/**
 * The door for whole zones: a master file becomes, or joins, a zone in one transaction and one change. The steps are those of
 * zone-change.ts (lock, edit, rules, serial, journal), taken by sets: the rules look at the zone as it then stands, some owners at a
 * time, and whatever they refuse undoes it all. A dry run does everything and then undoes it.
 */
import { nextSerial, type Serial, serialIsGreater } from "../../dns/serial.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import { connection, type Session, today } from "../../session/session.ts";
import { ChangeKind, type ChangeRecordRow, type ChangeRow } from "../change.ts";
import { type DomainRow, domainByZone, noSuchZone, readZone } from "../domain.ts";
import { parseRecord } from "../edit/canonical-record.ts";
import { defaultRecords } from "../edit/default-records.ts";
import { insertDomain, lastSerial } from "../edit/lifecycle.ts";
import { ancestors, targets, violations, warnings, type ZoneView } from "../edit/rules.ts";
import { lockDomain, readBelow, readOwners, storeJournal, storeRecords } from "../edit/store.ts";
import { serialOf, type WorkingRecord, withSerial } from "../edit/working-copy.ts";
import { type MasterText, type Staged, stageMasterFile, type Warnings } from "./stage.ts";
import {
  countChange,
  differs,
  type ImportMode,
  isStaged,
  lineOf,
  listTouched,
  type StagedRecord,
  showChange,
  stage,
  storeImport,
  touchedOwners,
} from "./staging-sql.ts";

export type { ImportMode } from "./staging-sql.ts";

/** What to import where. An unknown zone is created when `userId` says for whom. */
export interface ImportRequest {
  readonly zone: string;
  readonly text: MasterText;
  readonly mode: ImportMode;
  readonly userId?: number | undefined;
  readonly dryRun?: boolean;
  readonly onRecords?: (count: number) => void;
}

/** What came of it: `added` and `removed` count records, SOA aside; the lists show the first thousand of them. */
export interface ImportResult {
  readonly change: ChangeRow | null;
  readonly added: number;
  readonly removed: number;
  readonly addedRecords: readonly ChangeRecordRow[];
  readonly removedRecords: readonly ChangeRecordRow[];
  readonly warnings: readonly string[];
}

/** Records of a difference that are shown. */
const shown = 1000;

/** Imports a master file, all or nothing; every problem is reported with its line. */
export async function importZone(session: Session, request: ImportRequest): Promise<ImportResult> {
  mayWrite(session.actor);
  const zone = readZone(request.zone);
  if (request.userId === undefined) await domainByZone(session, zone);
  try {
    return await session.em.transactional(async (em) => {
      const result = await importInto({ ...session, em, door: "import" }, zone, request);
      if (request.dryRun) throw new DryRun({ ...result, change: null });
      return result;
    });
  } catch (end) {
    if (end instanceof DryRun) return end.result;
    throw end;
  }
}

/** Ends a transaction without keeping it. */
class DryRun extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super("a dry run is undone");
    this.result = result;
  }
}

async function importInto(session: Session, zone: string, request: ImportRequest): Promise<ImportResult> {
  const db = connection(session);
  const staged = await stageMasterFile(db, zone, request.text, session.policy, request);
  const known = await lockDomain(db, session.actor, zone);
  const domain = known ?? (await found(session, zone, request, staged));
  const previous = known && (await readOwners(db, domain.id, ["@"])).find(({ type }) => type === "SOA");
  const soa = await chooseSoa(session, domain, request.mode, staged, previous);
  const differ = !previous || isOther(previous, soa) || (await differs(db, domain.id, request.mode));
  if (!differ)
    return {
      change: null,
      added: 0,
      removed: 0,
      addedRecords: [],
      removedRecords: [],
      warnings: staged.warnings.list(),
    };
  const next =
    previous && serialOf(soa) === serialOf(previous)
      ? withSerial(soa, nextSerial(serialOf(previous), today(session)))
      : soa;
  const change = await write(session, domain, request.mode, previous, next);
  await judge(session, domain, change, staged.warnings);
  const [addedRecords, removedRecords] = [
    await showChange(db, change.id, false, shown),
    await showChange(db, change.id, true, shown),
  ];
  return {
    change,
    ...(await countChange(db, change.id)),
    addedRecords,
    removedRecords,
    warnings: staged.warnings.list(),
  };
}

/** Founds the zone for the user named; it is born with the operator's name servers when a merged file names none. */
async function found(
  session: Session,
  zone: string,
  { userId, mode }: ImportRequest,
  staged: Staged,
): Promise<DomainRow> {
  if (userId === undefined) throw noSuchZone(zone);
  const db = connection(session);
  await insertDomain(session, userId, zone);
  const domain = (await lockDomain(db, session.actor, zone)) as DomainRow;
  if (mode === "MERGE" && !(await isStaged(db, "@", "NS"))) {
    await stage(db, bornWith(session, domain, "NS"));
    staged.warnings.add("The file has no NS record at the apex; the zone was given the service's name servers.");
  }
  return domain;
}

/** The default records of a type, as if they stood before the first line of the file. */
function bornWith(session: Session, { zone, serial: first }: DomainRow, type: "SOA" | "NS"): StagedRecord[] {
  const records = defaultRecords(zone, first as Serial, session.policy).filter((fields) => fields.type === type);
  return records.map((fields, at) => {
    const { warnings: _none, ...candidate } = parseRecord(fields, zone, session.policy);
    return { ...candidate, ttl: fields.ttl as number, line: -at };
  });
}

/**
 * The SOA that the zone will have, before its serial rises. A merge keeps the zone's. A replacement needs exactly one in the file and
 * keeps its serial when that is greater than the zone's, or than the last one ever used under the name of a zone that is being born.
 */
async function chooseSoa(
  session: Session,
  domain: DomainRow,
  mode: ImportMode,
  { soas: [first, second] }: Staged,
  previous: WorkingRecord | undefined,
): Promise<WorkingRecord> {
  if (mode === "MERGE") return previous ?? { ...(bornWith(session, domain, "SOA")[0] as StagedRecord), id: undefined };
  if (!first) throw soaRefusal("The file has no SOA record at the apex; a replacement needs one.");
  if (second) throw soaRefusal("The file has a second SOA record; a zone has one.", second.line);
  const { line: _line, ...soa } = first;
  const current = previous ? serialOf(previous) : await lastSerial(session, domain.zone);
  const kept = current === undefined || serialIsGreater(serialOf(soa), current);
  return {
    ...(kept ? soa : withSerial(soa, previous ? serialOf(previous) : (domain.serial as Serial))),
    id: previous?.id,
  };
}

function soaRefusal(message: string, line?: number): Refusal {
  const at = line === undefined ? message : `line ${line}: ${message}`;
  return Refusal.of([{ code: "RECORD_CONFLICT", message: at, line }]);
}

/** Whether an SOA is another than the stored one, in any field. */
function isOther(previous: WorkingRecord, soa: WorkingRecord): boolean {
  return previous.rdata !== soa.rdata || previous.ttl !== soa.ttl;
}

/** Writes records, serial and journal. */
async function write(
  session: Session,
  domain: DomainRow,
  mode: ImportMode,
  previous: WorkingRecord | undefined,
  soa: WorkingRecord,
): Promise<ChangeRow> {
  const db = connection(session);
  const change = await storeJournal(db, domain, {
    kind: previous ? ChangeKind.EDIT : ChangeKind.CREATE,
    previousSerial: previous ? serialOf(previous) : null,
    serial: serialOf(soa),
    actor: session.actor.name,
    door: session.door,
    at: session.now(),
    removed: previous ? [previous] : [],
    added: [soa],
  });
  const edited = previous ? [{ from: previous, to: soa }] : [];
  await storeRecords(db, domain.id, { inserted: previous ? [] : [soa], edited, deleted: [] });
  await storeImport(db, domain.id, change.id, mode);
  return change;
}

/** Owners that are judged at a time. */
const judgedAtOnce = 500;

/** Judges every owner that the change touched, and refuses with all that is broken, a hundred reasons at most. */
async function judge(session: Session, { id, zone }: DomainRow, change: ChangeRow, advice: Warnings): Promise<void> {
  const db = connection(session);
  const reasons: Reason[] = [];
  await listTouched(db, change.id);
  for (let from = 0; reasons.length < 100; from += judgedAtOnce) {
    const owners = await touchedOwners(db, from, judgedAtOnce);
    if (owners.length === 0) break;
    const view = await loadView(session, id, zone, owners);
    for (const owner of owners) {
      for (const reason of violations(view, [owner])) {
        const line = await lineOf(db, owner);
        reasons.push(line === undefined ? reason : { ...reason, message: `line ${line}: ${reason.message}`, line });
      }
      advice.add(...warnings(view, view.at(owner)));
    }
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
}

/** The part of the stored zone that the rules look at for these owners. */
async function loadView(
  session: Session,
  domainId: number,
  zone: string,
  owners: readonly string[],
): Promise<ZoneView> {
  const db = connection(session);
  const byOwner = new Map<string, WorkingRecord[]>();
  const load = async (wanted: Iterable<string>) => {
    const missing = [...new Set(wanted)].filter((owner) => !byOwner.has(owner));
    for (const owner of missing) byOwner.set(owner, []);
    for (const record of await readOwners(db, domainId, missing)) byOwner.get(record.owner)?.push(record);
  };
  await load(owners);
  const records = owners.flatMap((owner) => byOwner.get(owner) ?? []);
  await load([...owners.flatMap(ancestors), ...records.flatMap((record) => targets(record, zone))]);
  const below = new Map<string, WorkingRecord | undefined>();
  for (const { owner, type } of records)
    if (type === "DNAME") below.set(owner, (await readBelow(db, domainId, owner, 1))[0]);
  const { ownerLimits: limits } = session.policy;
  return { zone, limits, at: (owner) => byOwner.get(owner) ?? [], below: (owner) => below.get(owner) };
}
