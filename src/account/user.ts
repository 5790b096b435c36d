/** A user: an account that owns domains. Only administrators create, edit and delete users; a user's key sees only its own user. */
import { BigIntType, UniqueConstraintViolationException } from "@mikro-orm/core";
import { Entity, Index, OneToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { isEmail } from "class-validator";
import { Field, ObjectType } from "type-graphql";
import { noSuch, Refusal } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar } from "../graphql/scalars/scalars.ts";
import { byId, type CreatedRange, type Order, type Page, page, type SortedRequest } from "../lists/pagination.ts";
import { createdWithin, equal, type Relation, selected } from "../lists/relation.ts";
import { mayAdminister, sees } from "../session/authorization.ts";
import { isLimited, type Quota } from "../session/quota.ts";
import { type Session, today } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { Reference, type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { ReviewPolicy } from "./review-policy.ts";

@ObjectType({ description: "An account that owns domains.", implements: Node, simpleResolvers: true })
@Entity({ tableName: "user" })
@Index({ name: "user_email_key", expression: 'create unique index "user_email_key" on "user" (lower("email"))' })
export class User {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => String, { description: "E-mail address, unique without regard to case." })
  @Property({ type: "text" })
  email!: string;

  @Field(() => DateTimeScalar, { description: "When the user was created." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;

  @Field(() => ReviewPolicy, {
    description: "The review of the user's domains, except of domains with a review of their own.",
  })
  @Property({ type: "text", default: ReviewPolicy.NONE })
  review!: ReviewPolicy;

  /** The quotas that an administrator has set for the user (session/quota.ts). */
  @Property({ type: "json", columnType: "jsonb", defaultRaw: "'{}'", hidden: true })
  quota!: Partial<Quota>;

  /** Whether a quota limits the user. If so, changes update the usage (UserUsage). */
  @Property({ type: "boolean", default: false })
  metered!: boolean;
}

/** The usage of a user. The row exists while a quota limits the user (zone/quota/metering.ts). */
@Entity({ tableName: "user_usage" })
export class UserUsage {
  @OneToOne(() => User, { fieldName: "user_id", primary: true, owner: true, deleteRule: "cascade" })
  user!: User;

  @Property({ type: "integer" })
  domains!: number;

  @Property({ type: new BigIntType("number") })
  records!: number;

  /** The number of changes on `day`, UTC. */
  @Property({ type: "integer" })
  changes!: number;

  @Property({ type: "date" })
  day!: string;
}

const u = table(User, "u");
const usage = table(UserUsage);
const emailKey = new Reference<string>(`lower(${u.email})`);
const columns = u.columns("id", "email", "createdAt", "review", "quota").with("emailKey", emailKey);

/** A user as a plain row. `emailKey` is the address in PostgreSQL's lower case, by which lists are sorted. */
export type UserRow = RowOf<typeof columns>;

export const userOrders = {
  CREATED: byId<UserRow>("user.CREATED", u.id, false),
  CREATED_DESC: byId<UserRow>("user.CREATED_DESC", u.id, true),
  EMAIL: {
    name: "user.EMAIL",
    columns: [emailKey, u.id],
    kinds: ["string", "number"],
    descending: false,
    key: (user: UserRow) => [user.emailKey, user.id],
  },
} satisfies Record<string, Order<UserRow>>;

export interface UserFilter extends CreatedRange {
  readonly id?: number | undefined;
  readonly email?: string | undefined;
}

export const users = {
  columns,
  from: u,
  sees: (actor) => sees(actor, u.id),
  orders: userOrders,
  selectors: {
    ...createdWithin(u.createdAt),
    id: equal<number>(u.id),
    email: { ...equal<string>(emailKey), where: (email) => sql<boolean>`${emailKey} = lower(${email})` },
  },
} as const satisfies Relation<UserRow>;

export function listUsers(
  session: Session,
  filter: UserFilter,
  request: SortedRequest<keyof typeof userOrders>,
): Promise<Page<UserRow>> {
  const conditions = [users.sees(session.actor), ...selected(users.selectors, filter)];
  return page(session, { ...users, conditions, order: userOrders[request.order] }, request);
}

export async function usersByIds(session: Session, ids: readonly number[]): Promise<UserRow[]> {
  const query = sql<UserRow>`select ${columns} from ${u} where ${u.id} = any(${ids}) and ${users.sees(session.actor)}`;
  return query.run(session);
}

/** Returns the user of this id; throws NOT_FOUND when the session sees no such user. */
export async function userById(session: Session, id: number, field = "id"): Promise<UserRow> {
  const [user] = await usersByIds(session, [id]);
  if (!user) throw noSuch("user", id, field);
  return user;
}

/** The fields of a user that are also stored in each of the user's domains: whether a quota limits the user, and the default review. */
type HeldUser = Pick<User, "metered" | "review">;

/** Locks a user until the transaction ends, against deletion and changes of HeldUser. Throws NOT_FOUND when there is no such user. */
export async function holdUser(session: Session, id: number, field = "userId"): Promise<HeldUser> {
  const query = sql<HeldUser>`select ${u.columns("metered", "review")} from ${u} where ${u.id} = ${id} for key share`;
  const [user] = await query.run(session);
  if (!user) throw noSuch("user", id, field);
  return user;
}

/**
 * Takes a lock of the user until the transaction ends. Only one transaction at a time can then count the user's objects and add one, so
 * that limits hold.
 */
export async function countAlone(session: Session, userId: number): Promise<void> {
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`what user ${userId} has`}, 0))`;
  await lock.run(session);
}

/**
 * Throws QUOTA_EXCEEDED when `rows` already has `most` rows of the user; `what` is the noun at the end of the message. Must be called in
 * the transaction that adds the next row.
 */
export async function expectRoom(
  session: Session,
  userId: number,
  { rows, most, what }: { readonly rows: Sql; readonly most: number; readonly what: string },
): Promise<void> {
  await countAlone(session, userId);
  const query = sql<{ count: number }>`select count(*) from ${rows}`;
  if (((await query.run(session))[0]?.count ?? 0) < most) return;
  throw new Refusal("QUOTA_EXCEEDED", `The user has ${most} ${what}.`);
}

/** Returns the one user who matches every condition. Throws NOT_FOUND when there is no such user, MISSING_FIELD without a condition. */
export async function findUser(session: Session, filter: UserFilter): Promise<UserRow> {
  if (Object.keys(filter).length === 0)
    throw new Refusal("MISSING_FIELD", "id is missing; send the id or the e-mail address of a user.", { field: "id" });
  const { rows } = await listUsers(session, filter, { first: 1, order: "CREATED" });
  if (!rows[0]) throw noSuch("user", filter.id ?? filter.email, Object.keys(filter)[0]);
  return rows[0];
}

export async function createUser(session: Session, email: string): Promise<UserRow> {
  mayAdminister(session.actor);
  const address = readEmail(email);
  return transaction(session, async (inner) => {
    const metered = isLimited(session.policy.quota);
    const content = { email: address, createdAt: session.now(), review: ReviewPolicy.NONE, quota: {}, metered };
    const user = inner.em.create(User, content);
    await flushEmail(inner, address);
    if (metered) await countNothing(inner, user.id);
    return userById(inner, user.id);
  });
}

async function countNothing(session: Session, userId: number): Promise<void> {
  await sql`insert into ${usage} (${usage.names("userId", "domains", "records", "changes", "day")})
    values (${userId}, 0, 0, 0, ${today(session)})`.run(session);
}

const afterForm =
  "it has a blank. If there was a +, a form turned it into the blank: send it with curl --data-urlencode, or as JSON.";

/** Returns the address without surrounding blanks; throws INVALID_VALUE when the text is not an e-mail address. */
export function readEmail(email: string): string {
  const address = email.trim();
  if (isEmail(address) && address.length <= 254 && !/[\t-\r]/.test(email)) return address;
  const advice =
    /\S \S*@/.test(address) && isEmail(address.replaceAll(" ", "+")) ? afterForm : "write one such as you@example.com.";
  throw new Refusal("INVALID_VALUE", `email is not an e-mail address; ${advice}`, { field: "email" });
}

/** Stores a user; throws DUPLICATE_EMAIL when the address is taken. */
export function flushEmail(session: Session, email: string): Promise<void> {
  const taken = `A user with the e-mail address ${email} exists already.`;
  return flushUnique(session, () => new Refusal("DUPLICATE_EMAIL", taken, { field: "email" }));
}

/** Flushes the session; throws the refusal that `taken` returns when a unique value already exists. */
export async function flushUnique({ em }: Session, taken: () => Refusal): Promise<void> {
  await em.flush().catch((error: unknown) => {
    throw error instanceof UniqueConstraintViolationException ? taken() : error;
  });
}
