/**
 * Publication in the schema: how far a zone or a change has come, waiting for it, and being told of it.
 */
import { Max, Min } from "class-validator";
import {
  Arg,
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
  Subscription,
} from "type-graphql";
import { DateTimeScalar, SerialScalar } from "../../scalars.ts";
import {
  type PublicationRow,
  PublicationState,
  publications,
  type ServedRow,
  servedOf,
} from "../../secondary/publication.ts";
import { waitForChange, watchDomain } from "../../secondary/publication-wait.ts";
import { Change, type ChangeRow } from "../../zone/change.ts";
import { Domain, type DomainRow } from "../../zone/domain.ts";
import type { Context } from "../context.ts";

@ObjectType({ description: "A secondary as everyone may know it.", simpleResolvers: true })
class NamedSecondary {
  @Field(() => String, { description: "What the operator calls it." })
  name!: string;
}

@ObjectType({ description: "What one secondary was seen to serve.", simpleResolvers: true })
class SecondaryPublication {
  @Field(() => NamedSecondary, { description: "Which secondary." })
  secondary!: NamedSecondary;

  @Field(() => PublicationState, { description: "How far it has come at this secondary." })
  state!: PublicationState;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial it serves; null when it serves none, and for a user's key.",
  })
  serial!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it last answered what it serves; null before, and for a user's key.",
  })
  seenAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "What went wrong at the last look; null when nothing did, and for a user's key.",
  })
  lastError!: string | null;
}

@ObjectType({
  description: "How far a zone or a change has come out to the secondaries; it says what was seen there.",
  simpleResolvers: true,
})
class Publication {
  @Field(() => PublicationState, { description: "How far it has come." })
  state!: PublicationState;

  @Field(() => SerialScalar, { description: "The serial that the secondaries are to serve." })
  serial!: number;

  @Field(() => DateTimeScalar, {
    description:
      "When the serial was committed; once LIVE, when the last required secondary was first seen to serve it.",
  })
  since!: Date;
}

const PublicationGoal = { LIVE: "LIVE" } as const;
registerEnumType(PublicationGoal, {
  name: "PublicationGoal",
  description: "What can be waited for.",
  valuesConfig: { LIVE: { description: "That every required secondary serves it." } },
});

const wrongTime = { message: "write a number from 0 to 60000" };

@ArgsType()
class WaitArgs {
  @Field(() => PublicationGoal, {
    nullable: true,
    description:
      "Holds the answer until this is reached or the time is up; `state` says which. Without a secondary it answers at once.",
  })
  waitFor?: keyof typeof PublicationGoal;

  @Field(() => Int, { defaultValue: 10_000, description: "How long to wait at most, 0 to 60000 ms." })
  @Min(0, wrongTime)
  @Max(60_000, wrongTime)
  timeoutMs!: number;
}

@Resolver(() => Publication)
export class PublicationResolver {
  @FieldResolver(() => [SecondaryPublication], {
    complexity: 10,
    description: "What each secondary was seen to serve, by name; of a deletion, each that follows the catalog.",
  })
  async secondaries(@Root() { of, id }: PublicationRow, @Ctx() context: Context): Promise<SecondaryPublication[]> {
    const read = (ids: readonly number[]) => servedOf(context.session, of, ids);
    const served = await context.load<ServedRow[]>("Publication.secondaries", of, id, read);
    return served.map(({ name, ...row }) => ({ ...row, secondary: { name } }));
  }

  @Subscription(() => Publication, {
    description:
      "The publication of a zone as it is, then each time its serial or its state is another one. Ends with an error when the key ends or no longer sees the zone.",
    subscribe: ({ args, context }) => watch(String(args.zone), context as Context),
  })
  domainPublished(
    @Arg("zone", () => String, { description: "Zone name in any spelling." }) _zone: string,
    @Root() publication: PublicationRow,
  ): PublicationRow {
    return publication;
  }
}

/** The events of a watch; what was loaded for the last one is forgotten before the next. */
async function watch(zone: string, context: Context): Promise<AsyncIterable<PublicationRow>> {
  const { gone, confirm } = context.caller;
  const rows = await watchDomain(context.session, zone, gone, confirm);
  return (async function* events() {
    for await (const row of rows) {
      context.forget();
      yield row;
    }
  })();
}

@Resolver(() => Domain)
export class DomainPublicationResolver {
  @FieldResolver(() => Publication, { description: "How far the zone, as it is committed, has come out." })
  publication(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<PublicationRow> {
    return context.loadRow("Domain.publication", id, (ids) => publications(context.session, "domain", ids));
  }
}

@Resolver(() => Change)
export class ChangePublicationResolver {
  @FieldResolver(() => Publication, {
    description:
      "How far the change has come out: LIVE when every required secondary serves its serial or a later one.",
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
