/** An event of a change set: what happened to it, when, and by which key. steps.ts inserts events. */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { DateTimeScalar } from "../graphql/scalars/scalars.ts";
import { ChangeSetEventKind } from "./states.ts";

@ObjectType({ description: "Something that happened to a change set.", simpleResolvers: true })
@Entity({ tableName: "change_set_event" })
export class ChangeSetEvent {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  changeSetId!: number;

  @PrimaryKey({ type: "integer", autoincrement: false })
  ordinal!: number;

  @Field(() => ChangeSetEventKind, { description: "What happened." })
  @Property({ type: "text" })
  kind!: ChangeSetEventKind;

  @Property({ type: new BigIntType("number"), nullable: true })
  keyId?: number | null;

  @Field(() => String, { description: "The name of the key that did it." })
  @Property({ type: "text" })
  actor!: string;

  @Field(() => Int, { description: "The revision of the change set then." })
  @Property({ type: "integer" })
  revision!: number;

  /** The fingerprint of the effect that a reviewer saw, or that was scheduled or applied. */
  @Property({ type: "text", nullable: true })
  fingerprint?: string | null;

  @Field(() => String, { description: "What its actor wrote; it may be empty." })
  @Property({ type: "text" })
  text!: string;

  @Field(() => DateTimeScalar, { description: "When it happened." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;
}
