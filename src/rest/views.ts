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

/** The text of a domain, up to its records. */
export function domainOpening({ id, zone, user }: DomainData): string {
  const opening = JSON.stringify({ zone_id: Number(id), zone, user: { id: Number(user.id), email: user.email } });
  return `${opening.slice(0, -1)},"records":[`;
}
