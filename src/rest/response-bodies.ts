/**
 * The REST form of GraphQL results: the documented fields and their time formats; body-schemas.ts describes them for the reference.
 */
import { Refusal } from "../errors.ts";

/** A user as GraphQL returns it. */
export interface UserData {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string | Date;
}

/** A record as GraphQL returns it. */
export interface RecordData {
  readonly id: string;
  readonly owner: string;
  readonly rdata: string;
  readonly zone: string;
  readonly type: string;
  readonly ttl: number;
}

/** A domain as GraphQL returns it, with its first page of records. */
export interface DomainData {
  readonly zone_id: string;
  readonly zone: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly records: PageData<RecordData>;
}

/** A change as GraphQL returns it, with its publication. */
export interface ChangeData {
  readonly id: string;
  readonly zone: string;
  readonly kind: string;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly source: string;
  readonly createdAt: string | Date;
  readonly publication: {
    readonly state: string;
    readonly since: string | Date;
    readonly secondaries: readonly {
      readonly name: string;
      readonly state: string;
      readonly serial: number | null;
      readonly seenAt: string | Date | null;
      readonly lastError: string | null;
    }[];
  };
}

/** A page of a list as GraphQL returns it. */
export interface PageData<Node> {
  readonly nodes: Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount?: number;
}

const iso = (time: string | Date) => new Date(time).toISOString();

/** A user in lists and lookups: the time as `YYYY-MM-DDTHH:MM:SS`, UTC. */
export const userView = ({ id, email, createdAt }: UserData) => ({
  id,
  email,
  created_at: iso(createdAt).slice(0, 19),
});

/** A created user: the time as `YYYY-MM-DD HH:MM:SS.ffffff`, UTC. */
export const createdUserView = ({ id, email, createdAt }: UserData) => ({
  id,
  email,
  created_at: `${iso(createdAt).slice(0, 23).replace("T", " ")}000`,
});

/** A record with its zone. */
export const recordView = ({ id, owner, rdata, zone, type, ttl }: RecordData) => ({
  id: Number(id),
  owner,
  rdata,
  zone,
  type,
  ttl: String(ttl),
});

/** A record inside its domain. */
export const innerRecordView = ({ id, owner, rdata, type, ttl }: RecordData) => ({
  id: Number(id),
  owner,
  rdata,
  type,
  ttl: String(ttl),
});

/** A change with its publication; times as `YYYY-MM-DDTHH:MM:SS`, UTC. */
export const changeView = ({
  id,
  zone,
  kind,
  previousSerial,
  serial,
  actor,
  source,
  createdAt,
  publication,
}: ChangeData) => ({
  id: Number(id),
  zone,
  kind,
  previous_serial: previousSerial,
  serial,
  actor,
  source: source.toLowerCase(),
  created_at: iso(createdAt).slice(0, 19),
  state: publication.state,
  since: iso(publication.since).slice(0, 19),
  secondaries: publication.secondaries.map(({ name, state, serial: served, seenAt, lastError }) => ({
    name,
    state,
    serial: served,
    seen_at: seenAt && iso(seenAt).slice(0, 19),
    last_error: lastError,
  })),
});

/** A change of a zone's history as GraphQL returns it. */
export interface HistoryData extends Omit<ChangeData, "zone" | "publication"> {
  readonly appliedBy: string | null;
  readonly note: string | null;
  readonly undoes: { readonly id: string } | null;
  readonly returnsTo: { readonly id: string } | null;
  readonly changeSet: { readonly id: string } | null;
  readonly added: SideData;
  readonly removed: SideData;
  /** Only where they are asked for. */
  readonly addedRecords?: { readonly nodes: readonly ChangedRecordData[] };
  readonly removedRecords?: { readonly nodes: readonly ChangedRecordData[] };
}

/** How many records a change removed or added, and the first of them, which the SOA is where it is among them. */
interface SideData {
  readonly totalCount: number;
  readonly nodes: readonly { readonly type: string }[];
}

const countBesidesSoa = ({ totalCount, nodes: [first] }: SideData) => totalCount - Number(first?.type === "SOA");

type ChangedRecordData = Pick<RecordData, "owner" | "type" | "ttl" | "rdata">;

const idOrNull = (object: { readonly id: string } | null) => object && Number(object.id);

const changedRecordView = ({ owner, rdata, type, ttl }: ChangedRecordData) => ({
  owner,
  rdata,
  type,
  ttl: String(ttl),
});

/** A change of a zone's history; the SOA is not counted. */
export const historyView = (change: HistoryData) => ({
  id: Number(change.id),
  serial: change.serial,
  previous_serial: change.previousSerial,
  kind: change.kind,
  actor: change.actor,
  applied_by: change.appliedBy,
  source: change.source.toLowerCase(),
  note: change.note,
  change_set_id: idOrNull(change.changeSet),
  undoes: idOrNull(change.undoes),
  returns_to: idOrNull(change.returnsTo),
  added: countBesidesSoa(change.added),
  removed: countBesidesSoa(change.removed),
  created_at: iso(change.createdAt).slice(0, 19),
  ...(change.addedRecords && { added_records: change.addedRecords.nodes.map(changedRecordView) }),
  ...(change.removedRecords && { removed_records: change.removedRecords.nodes.map(changedRecordView) }),
});

/** The JSON text of a domain, up to its records. */
export function domainOpening({ zone_id, zone, user }: DomainData): string {
  const opening = JSON.stringify({ zone_id: Number(zone_id), zone, user: { id: Number(user.id), email: user.email } });
  return `${opening.slice(0, -1)},"records":[`;
}

/**
 * The object that the first selector identifies; NOT_FOUND at `field` when another selector identifies a different object. Ids are
 * compared, since names have many spellings.
 */
export function sameObject<Selected>(
  selected: Selected & { readonly id: string },
  { by1, by2 }: { readonly by1?: { readonly id: string }; readonly by2?: { readonly id: string } },
  field: string,
): Selected {
  if ([by1, by2].every((other) => other === undefined || other.id === selected.id)) return selected;
  throw new Refusal("NOT_FOUND", "The path and the query select different objects; send one of them.", { field });
}

/** The result of a mutation that changes a zone. */
interface MutationData {
  readonly change: { readonly id: string; readonly serial: number } | null;
  readonly notices?: readonly { readonly message: string }[];
}

/** The headers of a write: its change, and its notices as warnings in ASCII. */
export function changeHeaders({ change, notices = [] }: MutationData): Record<string, string | readonly string[]> {
  const printable = notices.map(({ message }) => message.replace(/[^\x20-\x7e]/g, "?"));
  return {
    ...(change && { "X-Change-Id": change.id, "X-Zone-Serial": String(change.serial) }),
    ...(printable.length > 0 && { "X-Warning": printable }),
  };
}
