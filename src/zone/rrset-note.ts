/**
 * A note of an RRset: what it is for, and whom to ask. It is kept beside the zone: it is no part of the journal, gets no serial and is not
 * published. It stays while the RRset is edited, is absent or its domain is deleted, so it has the id of that without a foreign key.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType } from "type-graphql";
import type { Selector } from "../lists/relation.ts";
import { DateTimeScalar, RecordTypeScalar } from "../scalars.ts";
import { Reference, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";

@ObjectType("RRsetNote", {
  description: "What somebody wrote about an RRset; it is not published.",
  simpleResolvers: true,
})
@Entity({ tableName: "rrset_note" })
export class RrsetNote {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  domainId!: number;

  @Field(() => String, { description: "The owner of the RRset, relative to the zone; `@` is the apex." })
  @PrimaryKey({ type: "text", collation: "C" })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "The type of the RRset, upper case." })
  @PrimaryKey({ type: "text", collation: "C" })
  type!: string;

  @Field(() => String, { description: "The note, of one line or several." })
  @Property({ type: "text" })
  text!: string;

  @Field(() => String, { description: "Who wrote it, as `Change.actor` has it." })
  @Property({ type: "text" })
  actor!: string;

  @Field(() => DateTimeScalar, { description: "When it was written." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  updatedAt!: Date;
}

const n = table(RrsetNote, "n");

/** The columns that name an RRset. */
interface RrsetColumns {
  readonly domainId: Reference<number>;
  readonly owner: Reference<string>;
  readonly type: Reference<string>;
}

/** The condition that note n is about the RRset of a record. */
const isAbout = ({ domainId, owner, type }: RrsetColumns) =>
  `${n.domainId} = ${domainId} and ${n.owner} = ${owner} and ${n.type} = ${type}`;

/** The SQL of the note that the RRset of a record has; null without one. */
export const noteOf = (record: RrsetColumns): Reference<string | null> =>
  new Reference(`(select ${n.text} from ${n} where ${isAbout(record)})`);

/** Selects records by a part of the note of their RRset; the letter case of A to Z does not matter. */
export const noteContains = (record: RrsetColumns): Selector<string> => ({
  read: (part) => part,
  where: (part): Sql<boolean> =>
    sql`exists (select from ${n} where ${sql.raw(isAbout(record))} and strpos(lower(${n.text}), lower(${part})) > 0)`,
});
