/**
 * What operations on records take: filters, new records, edits, and many of them at once.
 */
import { ArrayMaxSize, ValidateNested } from "class-validator";
import { ArgsType, Field, ID, InputType, Int } from "type-graphql";
import { RecordTypeScalar, SerialScalar } from "../../scalars.ts";
import type { recordOrders } from "../../zone/record.ts";
import { RecordOrder } from "../connections.ts";
import { PageArgs } from "../page-args.ts";
import { PlainText } from "../plain-text.ts";

@InputType({ description: "What selects records; every field that is given must match." })
export class RecordFilter {
  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;

  @Field(() => String, { nullable: true, description: "Owner: relative, `@`, or absolute when the zone is given too." })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "Record type." })
  type?: string;

  @Field(() => String, { nullable: true, description: "Part of the record data, without regard to case." })
  @PlainText(1000)
  rdataContains?: string;

  @Field(() => ID, { nullable: true, description: "Id of the user who owns the domain." })
  userId?: string;
}

@ArgsType()
export class RecordsArgs extends PageArgs {
  @Field(() => RecordFilter, { nullable: true, description: "Which records." })
  @ValidateNested()
  filter?: RecordFilter;

  @Field(() => RecordOrder, { defaultValue: RecordOrder.NAME, description: "How the list is sorted." })
  orderBy!: keyof typeof recordOrders;
}

@InputType({ description: "A record as one writes it." })
export class RecordInput {
  @Field(() => String, {
    description: "Owner: relative to the zone, absolute with a trailing dot, or `@` for the apex.",
  })
  owner!: string;

  @Field(() => String, { description: "Record type: a mnemonic in any letter case, or TYPE and its number." })
  type!: string;

  @Field(() => Int, { nullable: true, description: "Time to live, seconds; left out, the RRset's, or 3600." })
  ttl?: number;

  @Field(() => String, { description: "Record data in presentation form; a TXT may be given as plain text." })
  rdata!: string;
}

@InputType({ description: "A new record." })
export class CreateRecordInput {
  @Field(() => String, { description: "Zone name in any spelling." })
  zone!: string;

  @Field(() => String, {
    description: "Owner: relative to the zone, absolute with a trailing dot, or `@` for the apex.",
  })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Record type." })
  type!: string;

  @Field(() => Int, {
    nullable: true,
    description: "Time to live, seconds; left out, the RRset's, or 3600. Its RRset takes the same.",
  })
  ttl?: number;

  @Field(() => String, { description: "Record data in presentation form; a TXT may be given as plain text." })
  rdata!: string;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "Refuse with STALE_SERIAL when the zone is at another serial.",
  })
  expectedSerial?: number;
}

@InputType({ description: "New content for a record of a zone; what is left out stays." })
export class RecordUpdate {
  @Field(() => ID, { description: "The record to edit; the id stays." })
  id!: string;

  @Field(() => String, { nullable: true, description: "New owner." })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "New type; never into or out of SOA." })
  type?: string;

  @Field(() => Int, { nullable: true, description: "New time to live, seconds; the RRset takes the same." })
  ttl?: number;

  @Field(() => String, { nullable: true, description: "New data; an SOA needs a greater serial (RFC 1982)." })
  rdata?: string;
}

@InputType({ description: "New content for a record; what is left out stays." })
export class UpdateRecordInput extends RecordUpdate {
  @Field(() => String, {
    nullable: true,
    description: "The record's own zone, as a check; a record does not change its zone.",
  })
  zone?: string;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "Refuse with STALE_SERIAL when the zone is at another serial.",
  })
  expectedSerial?: number;
}

@InputType({ description: "Which record to delete." })
export class DeleteRecordInput {
  @Field(() => ID, { description: "The record to delete." })
  id!: string;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "Refuse with STALE_SERIAL when the zone is at another serial.",
  })
  expectedSerial?: number;
}

@InputType({
  description: "What must hold of a zone for it to be changed: of a name, or with a type of an RRset (RFC 2136 §2.4).",
})
export class PreconditionInput {
  @Field(() => String, { description: "The owner: relative to the zone, absolute with a trailing dot, or `@`." })
  owner!: string;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "The type of the RRset; left out, it is about the name, which is in use when any record stands there.",
  })
  type?: string;

  @Field(() => Boolean, { defaultValue: true, description: "Whether the name or the RRset must exist, or must not." })
  exists!: boolean;

  @Field(() => [String], {
    nullable: true,
    description: "The data of the whole RRset, in any order; left out, any data will do.",
  })
  rdata?: string[];
}

@InputType({ description: "Many edits of one zone, all or none: first it removes, then updates, then adds." })
export class ChangeRecordsInput {
  @Field(() => String, { description: "Zone name in any spelling." })
  zone!: string;

  @Field(() => [ID], { nullable: true, description: "Records to remove, by id; 1000 at most." })
  @ArrayMaxSize(1000, { message: "send at most 1000" })
  remove?: string[];

  @Field(() => [RecordUpdate], { nullable: true, description: "Records to update; 1000 at most." })
  @ArrayMaxSize(1000, { message: "send at most 1000" })
  update?: RecordUpdate[];

  @Field(() => [RecordInput], { nullable: true, description: "Records to add; 1000 at most." })
  @ArrayMaxSize(1000, { message: "send at most 1000" })
  add?: RecordInput[];

  @Field(() => SerialScalar, {
    nullable: true,
    description: "Refuse with STALE_SERIAL when the zone is at another serial.",
  })
  expectedSerial?: number;

  @Field(() => [PreconditionInput], {
    nullable: true,
    description:
      "Refuse with NAME_IN_USE, NAME_NOT_IN_USE, RRSET_EXISTS or RRSET_MISSING when one does not hold, judged under the lock that the change is made under; 1000 at most.",
  })
  @ArrayMaxSize(1000, { message: "send at most 1000" })
  preconditions?: PreconditionInput[];

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Judge everything and tell what would change, but change nothing.",
  })
  dryRun!: boolean;
}
