/**
 * How REST shows what GraphQL answers: the documented fields, their types and their timestamps.
 */

/** A user as GraphQL answers it. */
export interface UserData {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string | Date;
}

/** A record as GraphQL answers it. */
export interface RecordData {
  readonly id: string;
  readonly owner: string;
  readonly rdata: string;
  readonly zone: string;
  readonly type: string;
  readonly ttl: number;
}

/** A domain as GraphQL answers it, with the first of its records. */
export interface DomainData {
  readonly id: string;
  readonly zone: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly records: PageData<RecordData>;
}

/** A change as GraphQL answers it, with how far it has come. */
export interface ChangeData {
  readonly id: string;
  readonly zone: string;
  readonly kind: string;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly door: string;
  readonly createdAt: string | Date;
  readonly publication: {
    readonly state: string;
    readonly since: string | Date;
    readonly secondaries: readonly {
      readonly secondary: { readonly name: string };
      readonly state: string;
      readonly serial: number | null;
      readonly seenAt: string | Date | null;
      readonly lastError: string | null;
    }[];
  };
}

/** A page of a list as GraphQL answers it. */
export interface PageData<Node> {
  readonly nodes: readonly Node[];
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

/** A user that was just created: the time as `YYYY-MM-DD HH:MM:SS.ffffff`, UTC. */
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

/** A change and how far it has come; times as `YYYY-MM-DDTHH:MM:SS`, UTC. */
export const changeView = ({
  id,
  zone,
  kind,
  previousSerial,
  serial,
  actor,
  door,
  createdAt,
  publication,
}: ChangeData) => ({
  id: Number(id),
  zone,
  kind,
  previous_serial: previousSerial,
  serial,
  actor,
  door,
  created_at: iso(createdAt).slice(0, 19),
  state: publication.state,
  since: iso(publication.since).slice(0, 19),
  secondaries: publication.secondaries.map(({ secondary, state, serial: served, seenAt, lastError }) => ({
    name: secondary.name,
    state,
    serial: served,
    seen_at: seenAt && iso(seenAt).slice(0, 19),
    last_error: lastError,
  })),
});

/** The text of a domain, up to its records. */
export function domainOpening({ id, zone, user }: DomainData): string {
  const opening = JSON.stringify({ zone_id: Number(id), zone, user: { id: Number(user.id), email: user.email } });
  return `${opening.slice(0, -1)},"records":[`;
}
