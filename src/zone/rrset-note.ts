/**
 * A note of an RRset: a text that somebody wrote about it. It is stored beside the zone: it is not in the journal, has no serial and is
 * not published. It stays when the RRset is edited or removed and when its domain is deleted, so it references the domain without a
 * foreign key.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType } from "type-graphql";
import { DateTimeScalar, RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import type { Selector } from "../lists/relation.ts";
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

interface RrsetColumns {
  readonly domainId: Reference<number>;
  readonly owner: Reference<string>;
  readonly type: Reference<string>;
}

const isAbout = ({ domainId, owner, type }: RrsetColumns) =>
  `${n.domainId} = ${domainId} and ${n.owner} = ${owner} and ${n.type} = ${type}`;

export const noteOf = (record: RrsetColumns): Reference<string | null> =>
  new Reference(`(select ${n.text} from ${n} where ${isAbout(record)})`);

/** Selects records by a part of the note of their RRset; the letter case of A to Z is ignored. */
export const noteContains = (record: RrsetColumns): Selector<string> => ({
  read: (part) => part,
  where: (part): Sql<boolean> =>
    sql`exists (select from ${n} where ${sql.raw(isAbout(record))} and strpos(lower(${n.text}), lower(${part})) > 0)`,
});
