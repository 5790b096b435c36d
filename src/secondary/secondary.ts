/**
 * A secondary: a name server that transfers our zones. Only the publisher writes sightings, and only under its term, so that an old
 * observation never replaces a newer one.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType, registerEnumType } from "type-graphql";
import { TsigKey } from "../account/tsig-key.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar } from "../graphql/scalars/scalars.ts";

export const secondaryNameKey = "secondary_name_key";

export const TransferKind = { AXFR: "AXFR", IXFR: "IXFR" } as const;
registerEnumType(TransferKind, {
  name: "TransferKind",
  description: "How much a transfer sends.",
  valuesConfig: {
    AXFR: { description: "The whole zone (RFC 5936)." },
    IXFR: { description: "The differences from a serial on (RFC 1995)." },
  },
});

@ObjectType({
  description: "A name server that transfers the zones from this service.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "secondary" })
@Unique({ name: "secondary_address_port_key", properties: ["address", "port"] })
@Index({ name: "secondary_tsig_key_id_index", properties: ["tsigKey"] })
export class Secondary {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @Field(() => String, { description: "Its name, unique." })
  @Property({ type: "text", unique: secondaryNameKey })
  name!: string;

  @Field(() => String, {
    description: "IPv4 or IPv6 address for NOTIFY and SOA queries, and the source of transfers.",
  })
  @Property({ type: "text" })
  address!: string;

  @Field(() => Int, { description: "DNS port, 1 to 65535." })
  @Property({ type: "integer" })
  port!: number;

  @ManyToOne(() => TsigKey, { fieldName: "tsig_key_id", nullable: true, deleteRule: "no action", index: false })
  tsigKey?: TsigKey | null;

  @Field(() => Boolean, { description: "Whether it is sent NOTIFY (RFC 1996)." })
  @Property({ type: "boolean", default: true })
  notify!: boolean;

  @Field(() => Boolean, {
    description: "Whether a change is LIVE only when this secondary serves it, once it has joined.",
  })
  @Property({ type: "boolean", default: true })
  requiredForLive!: boolean;

  @Field(() => Boolean, {
    description: "Whether it may transfer zones without TSIG, by its address alone.",
  })
  @Property({ type: "boolean", default: false })
  allowUnsignedTransfer!: boolean;

  @Field(() => Boolean, {
    description: "Whether it transfers from another name server; its copies are compared record by record.",
  })
  @Property({ type: "boolean", default: false })
  indirect!: boolean;

  /** The last term in which it served data of a lost history: observations of earlier terms do not count. 0: never. */
  @Property({ type: new BigIntType("number"), defaultRaw: "0" })
  doubtedTerm!: number;

  @Field(() => DateTimeScalar, { description: "When it was registered." })
  @Property({ type: "datetime", columnType: "timestamptz", defaultRaw: "now()" })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it first had all zones. Null while it joins; no zone is LATE because of it then.",
  })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  joinedAt?: Date | null;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  notifiedAt?: Date | null;

  /** An rcode, or why there was no answer. */
  @Property({ type: "text", nullable: true })
  notifyAnswer?: string | null;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  queriedAt?: Date | null;

  /** A serial, an rcode, or why there was no answer. */
  @Property({ type: "text", nullable: true })
  queryAnswer?: string | null;

  @Property({ type: "text", nullable: true })
  queryZone?: string | null;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  transferredAt?: Date | null;

  @Property({ type: "text", nullable: true })
  transferZone?: string | null;

  @Property({ type: "text", nullable: true })
  transferKind?: string | null;

  @Property({ type: new BigIntType("number"), nullable: true })
  transferBytes?: number | null;

  @Property({ type: "integer", nullable: true })
  transferMs?: number | null;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  tsigErrorAt?: Date | null;

  @Property({ type: "text", nullable: true })
  tsigError?: string | null;
}

@Entity({ tableName: "sighting" })
@Index({ name: "sighting_domain_id_index", properties: ["domainId"] })
@Index({
  name: "sighting_held_index",
  expression: 'create index "sighting_held_index" on "sighting" ("domain_id") where "held_since" is not null',
})
export class Sighting {
  @ManyToOne(() => Secondary, { fieldName: "secondary_id", primary: true, deleteRule: "cascade" })
  secondary!: Secondary;

  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  domainId!: number;

  @Property({ type: "text", collation: "C" })
  zone!: string;

  /** The serial it serves; null before the first answer. */
  @Property({ type: new BigIntType("number"), nullable: true })
  serial?: number | null;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  serialAt?: Date | null;

  /** The serial of ours that it was proven to serve last (proof.ts). */
  @Property({ type: new BigIntType("number"), nullable: true })
  provenSerial?: number | null;

  /** The zone then counts as not served. */
  @Property({ type: "boolean", default: false })
  isUnproven!: boolean;

  /** Since when publication waits for a confirmation (RESTORE_POLICY). */
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  heldSince?: Date | null;

  /** Whether it answered REFUSED, NOTAUTH or NXDOMAIN: it does not have the zone. */
  @Property({ type: "boolean", default: false })
  isRefused!: boolean;

  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  seenAt?: Date | null;

  @Property({ type: "text", nullable: true })
  lastError?: string | null;

  @Property({ type: new BigIntType("number") })
  term!: number;
}

@Entity({ tableName: "publisher_term" })
export class PublisherTerm {
  @PrimaryKey({ type: "integer", autoincrement: false })
  id!: number;

  @Property({ type: new BigIntType("number") })
  term!: number;

  /** 0: never. */
  @Property({ type: new BigIntType("number"), defaultRaw: "0" })
  confirmedTerm!: number;
}

/** Whether a stored answer to an SOA query is a serial or says that the zone is missing; any other reports a problem. */
export const saysWhatItHas = (answer: string) => /^(?:\d+|no such zone|REFUSED|NXDOMAIN|NOTAUTH)$/.test(answer);

/** The zones that do not have the committed serial there, the number of `late` ones, and for how long the first is behind, ms. */
export interface SecondaryState {
  readonly name: string;
  readonly isSilent: boolean;
  /** Whether it has not had all zones yet; no zone is late then. */
  readonly isJoining: boolean;
  readonly pending: number;
  readonly late: number;
  readonly lagMs: number;
}
