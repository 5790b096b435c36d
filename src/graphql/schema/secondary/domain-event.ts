/** The subscription to zones: their changes, and the progress of publication. */
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from "type-graphql";
import {
  type DomainEventRow,
  eventsOfAllZones,
  eventsOfZone,
  presentCursor,
} from "../../../secondary/domain-events.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { PlainTextField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { readId } from "../../scalars/scalars.ts";
import { domainOf } from "../shared/rows.ts";
import { Publication } from "./publication.ts";

@ObjectType({ description: "A committed change of a zone, or progress of its publication.", simpleResolvers: true })
class DomainEvent {
  @Field(() => String, {
    description:
      "Where `after` continues; also the id of the server-sent event. Several events may have the same cursor.",
  })
  cursor!: string;

  @Field(() => Change, { description: "The latest change of the zone." })
  change!: ChangeRow;

  @Field(() => Publication, { description: "Publication of the zone, or when all zones are watched of the change." })
  publication!: Publication;
}

@ArgsType()
class DomainChangedArgs {
  @Field(() => String, {
    nullable: true,
    description: "Zone name in any spelling; without it, all zones that the key sees.",
  })
  zone?: string;

  @PlainTextField(20, {
    nullable: true,
    description:
      "The cursor of an event, or `eventCursor`. The last event of each zone after it follows. Default: the header Last-Event-ID.",
  })
  after?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "For boards: an event also when something changes at one secondary, until LIVE; for one zone also after that.",
  })
  eachSecondary!: boolean;
}

@Resolver(() => DomainEvent)
export class DomainEventResolver {
  @FieldResolver(() => Domain, { nullable: true, description: "The domain; null when it is deleted." })
  domain(@Root() { change }: DomainEventRow, @Ctx() context: Context): Promise<DomainRow | null> {
    return domainOf(change.domainId, context);
  }

  @FieldResolver(() => String)
  cursor(@Root() { cursor }: DomainEventRow): string {
    return String(cursor);
  }

  @Query(() => String, {
    nullable: true,
    description:
      "A cursor for `after` of domainChanged: read with a list, so that no change is missed. Events of the last seconds come again.",
  })
  async eventCursor(@Ctx() { session }: Context): Promise<string> {
    return String(await presentCursor(session));
  }

  @Subscription(() => DomainEvent, {
    description:
      "The latest change of one zone, or of each zone that the key sees, and each new state of its publication. Changes in quick succession may be one event: `changes(sinceSerial:)` has all of them. For one zone the present state comes first; for all zones, only changes from now on, or after `after`, are followed. An event may come twice. For one zone it ends with NOT_FOUND when the zone is deleted.",
    subscribe: ({ args, context }) => watch(args as DomainChangedArgs, context as Context),
  })
  domainChanged(
    @Args(() => DomainChangedArgs) _args: DomainChangedArgs,
    @Root() event: DomainEventRow,
  ): DomainEventRow {
    return event;
  }
}

const cursorOf = (text: string | undefined, field: string) => (text === undefined ? undefined : readId(text, field));

/** Yields the events of a subscription. The loaders are cleared each time, so that fields are read again. */
async function watch(
  { zone, after, eachSecondary }: DomainChangedArgs,
  context: Context,
): Promise<AsyncIterable<DomainEventRow>> {
  const { session, caller, lastEventId } = context;
  const start = cursorOf(after, "after") ?? cursorOf(lastEventId, "Last-Event-ID");
  const { gone, confirm } = caller;
  const watcher = { gone, confirm, detail: eachSecondary ? "sightings" : "state" } as const;
  const events =
    typeof zone === "string" ? await eventsOfZone(session, zone, watcher) : eventsOfAllZones(session, start, watcher);
  return (async function* shown() {
    for await (const event of events) {
      context.forget();
      context.eventId = String(event.cursor);
      yield event;
    }
  })();
}
