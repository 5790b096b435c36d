/** The last contacts with a secondary in the schema: one object for each kind of contact, null before the first. */
import { Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from "type-graphql";
import type { SecondaryRow } from "../../../secondary/registry.ts";
import { Secondary, saysWhatItHas, TransferKind } from "../../../secondary/secondary.ts";
import { DateTimeScalar } from "../../scalars/scalars.ts";

@ObjectType({ description: "An SOA query to a secondary.", simpleResolvers: true })
class SecondaryQuery {
  @Field(() => DateTimeScalar, { description: "When it was sent." })
  at!: Date;

  @Field(() => String, { nullable: true, description: "The zone; null when an early version sent it." })
  zone!: string | null;

  @Field(() => String, { description: "The answer: a serial, an rcode, or why there was none." })
  answer!: string;

  @Field(() => Boolean, { description: "Whether it answered with a serial, or that it does not have the zone." })
  succeeded!: boolean;
}

@ObjectType({ description: "Something that was last observed of a secondary.", simpleResolvers: true })
class SecondaryEvent {
  @Field(() => DateTimeScalar, { description: "When it happened." })
  at!: Date;

  @Field(() => String, { description: "The answer of the secondary, or what failed." })
  message!: string;
}

@ObjectType({ description: "A transfer of a zone to a secondary.", simpleResolvers: true })
class SecondaryTransfer {
  @Field(() => DateTimeScalar, { description: "When it ended." })
  at!: Date;

  @Field(() => String, { nullable: true, description: "DNS name of the zone." })
  zone!: string | null;

  @Field(() => TransferKind, { nullable: true, description: "How much it sent." })
  kind!: string | null;

  @Field(() => Float, { nullable: true, description: "Octets that it sent: a whole number, which may exceed 32 bits." })
  bytes!: number | null;

  @Field(() => Int, { nullable: true, description: "How long it took, milliseconds." })
  durationMs!: number | null;
}

const event = (at: Date | null, message: string | null): SecondaryEvent | null => at && { at, message: message ?? "" };

@Resolver(() => Secondary)
export class SecondaryContactsResolver {
  @FieldResolver(() => SecondaryQuery, {
    nullable: true,
    description: "The last SOA query to it; null before the first.",
  })
  lastQuery(@Root() { queriedAt: at, queryZone: zone, queryAnswer }: SecondaryRow): SecondaryQuery | null {
    const answer = queryAnswer ?? "";
    return at && { at, zone, answer, succeeded: saysWhatItHas(answer) };
  }

  @FieldResolver(() => SecondaryEvent, {
    nullable: true,
    description: "The last NOTIFY to it, with the rcode or why there was no answer; null before the first.",
  })
  lastNotify(@Root() { notifiedAt, notifyAnswer }: SecondaryRow): SecondaryEvent | null {
    return event(notifiedAt, notifyAnswer);
  }

  @FieldResolver(() => SecondaryTransfer, {
    nullable: true,
    description: "The last transfer to it; null before the first.",
  })
  lastTransfer(@Root() row: SecondaryRow): SecondaryTransfer | null {
    const { transferredAt: at, transferZone: zone, transferKind: kind, transferBytes: bytes, transferMs } = row;
    return at && { at, zone, kind, bytes, durationMs: transferMs };
  }

  @FieldResolver(() => SecondaryEvent, {
    nullable: true,
    description: "When and why its TSIG was last refused; null when it never was.",
  })
  lastTsigError(@Root() { tsigErrorAt, tsigError }: SecondaryRow): SecondaryEvent | null {
    return event(tsigErrorAt, tsigError);
  }
}
