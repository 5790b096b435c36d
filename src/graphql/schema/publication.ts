/**
 * Publication in the schema: the state of a zone or a change, and waiting for a change to be live.
 */
import { Max, Min } from "class-validator";
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  Resolver,
  Root,
  registerEnumType,
} from "type-graphql";
import { DateTimeScalar, IdScalar, SerialScalar } from "../../scalars.ts";
import {
  type PublicationRow,
  PublicationState,
  publications,
  type ServedRow,
  servedOf,
} from "../../secondary/publication.ts";
import { waitForChange } from "../../secondary/publication-wait.ts";
import { Change, type ChangeRow } from "../../zone/change.ts";
import { Domain, type DomainRow } from "../../zone/domain.ts";
import type { Context } from "../context.ts";

@ObjectType({ description: "A secondary as every user may see it.", simpleResolvers: true })
class NamedSecondary {
  @Field(() => IdScalar, { nullable: true, description: "The secondary's id; null for a user's key." })
  secondaryId!: number | null;

  @Field(() => String, { description: "The operator's name for it." })
  name!: string;
}

@ObjectType({ description: "What one secondary was observed to serve.", simpleResolvers: true })
class SecondaryPublication {
  @Field(() => NamedSecondary, { description: "The secondary." })
  secondary!: NamedSecondary;

  @Field(() => PublicationState, { description: "Publication state at this secondary." })
  state!: PublicationState;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial it serves; null when it does not serve the zone, and for a user's key.",
  })
  serial!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it last answered the SOA query; null before the first answer, and for a user's key.",
  })
  seenAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "The error of the last query; null when it succeeded, and for a user's key.",
  })
  lastError!: string | null;
}

@ObjectType({
  description: "Publication state, as observed at the secondaries.",
  simpleResolvers: true,
})
export class Publication {
  @Field(() => PublicationState, { description: "The state, over all required secondaries." })
  state!: PublicationState;

  @Field(() => SerialScalar, { description: "The serial that the secondaries should serve." })
  serial!: number;

  @Field(() => DateTimeScalar, {
    description:
      "When the serial was committed; once LIVE, when the last required secondary was first observed to serve it.",
  })
  since!: Date;
}

const PublicationGoal = { LIVE: "LIVE" } as const;
registerEnumType(PublicationGoal, {
  name: "PublicationGoal",
  description: "A publication state to wait for.",
  valuesConfig: { LIVE: { description: "Every required secondary serves the change." } },
});

const timeoutRange = { message: "write a number from 0 to 60000" };

@ArgsType()
class WaitArgs {
  @Field(() => PublicationGoal, {
    nullable: true,
    description:
      "Delays the response until this state or the timeout; `state` says which. No delay without a secondary.",
  })
  waitFor?: keyof typeof PublicationGoal;

  @Field(() => Int, { defaultValue: 10_000, description: "The longest delay, 0 to 60000 ms." })
  @Min(0, timeoutRange)
  @Max(60_000, timeoutRange)
  timeoutMs!: number;
}

@Resolver(() => Publication)
export class PublicationResolver {
  @FieldResolver(() => [SecondaryPublication], {
    nullable: true,
    complexity: 10,
    description:
      "What each secondary was observed to serve, sorted by name; for a deletion, those that follow the catalog.",
  })
  async secondaries(@Root() { of, id }: PublicationRow, @Ctx() context: Context): Promise<SecondaryPublication[]> {
    const read = (ids: readonly number[]) => servedOf(context.session, of, ids);
    const served = await context.load<ServedRow[]>("Publication.secondaries", of, id, read);
    return served.map(({ secondaryId, name, ...row }) => ({ ...row, secondary: { secondaryId, name } }));
  }
}

@Resolver(() => Domain)
export class DomainPublicationResolver {
  @FieldResolver(() => Publication, { nullable: true, description: "Publication of the zone at its committed serial." })
  publication(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<PublicationRow> {
    return context.loadRow("Domain.publication", id, (ids) => publications(context.session, "domain", ids));
  }
}

@Resolver(() => Change)
export class ChangePublicationResolver {
  @FieldResolver(() => Publication, {
    nullable: true,
    description: "Publication of the change: LIVE when every required secondary serves its serial or a later one.",
  })
  async publication(
    @Root() { id }: ChangeRow,
    @Args(() => WaitArgs) { waitFor, timeoutMs }: WaitArgs,
    @Ctx() context: Context,
  ): Promise<PublicationRow> {
    if (waitFor) {
      const waited = await waitForChange(context.session, id, timeoutMs, context.caller.gone);
      if (waited) return waited;
    }
    return context.loadRow("Change.publication", id, (ids) => publications(context.session, "change", ids));
  }
}
