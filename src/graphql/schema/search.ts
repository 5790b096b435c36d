/** The search for anything, in the schema. */
import { Matches, Max, Min } from "class-validator";
import { Args, ArgsType, type ClassType, Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { ApiKey } from "../../account/api-key.ts";
import { TsigKey } from "../../account/tsig-key.ts";
import { User } from "../../account/user.ts";
import {
  type Found,
  mostCounted,
  searchApiKeys,
  searchChanges,
  searchDomains,
  searchRecords,
  searchSecondaries,
  searchTsigKeys,
  searchUsers,
} from "../../search/search.ts";
import { Secondary } from "../../secondary/secondary.ts";
import type { Session } from "../../session/session.ts";
import { Change } from "../../zone/change.ts";
import { Domain } from "../../zone/domain.ts";
import { RecordWithZone } from "../../zone/record.ts";
import { PlainTextField } from "../checked-fields.ts";
import type { Context } from "../context.ts";

function matchesType(name: string, node: ClassType<object>): ClassType<Found<object>> {
  @ObjectType(`${name}Matches`, { description: `What a search finds of ${name}.`, simpleResolvers: true })
  class NamedMatches {
    @Field(() => [node], { description: "The first ones." })
    nodes!: object[];

    @Field(() => Int, { description: `How many there are; ${mostCounted} stands for as many or more.` })
    count!: number;
  }
  return NamedMatches as ClassType<Found<object>>;
}

const RecordMatches = matchesType("Record", RecordWithZone);
const DomainMatches = matchesType("Domain", Domain);
const ChangeMatches = matchesType("Change", Change);
const UserMatches = matchesType("User", User);
const ApiKeyMatches = matchesType("ApiKey", ApiKey);
const TsigKeyMatches = matchesType("TsigKey", TsigKey);
const SecondaryMatches = matchesType("Secondary", Secondary);

@ObjectType("Search", { description: "What a search finds, by kind. Only what is selected is searched." })
class SearchType {
  readonly #session: Session;
  readonly #text: string;
  readonly #first: number;

  constructor(session: Session, { text, first }: SearchArgs) {
    this.#session = session;
    this.#text = text.trim();
    this.#first = first;
  }

  @Field(() => RecordMatches, {
    nullable: true,
    description:
      "Records: of an address or a network such as `192.0.2.0/24`, with the PTR records of these addresses (of a network, of its first hundred); of a name and a type, such as `www MX`; else with the text in the owner or the data, or as their full name. That text needs three letters or digits in a row.",
  })
  get records(): Promise<Found<object>> {
    return searchRecords(this.#session, this.#text, this.#first);
  }

  @Field(() => DomainMatches, { nullable: true, description: "Domains with the text in the zone's name." })
  get domains(): Promise<Found<object>> {
    return searchDomains(this.#session, this.#text, this.#first);
  }

  @Field(() => ChangeMatches, {
    nullable: true,
    description:
      "Changes that left a zone at this serial, or with the text in the note, or of the newest 500 in one of the first records, if it has three letters or digits in a row; newest first, of a change set the newest one.",
  })
  get changes(): Promise<Found<object>> {
    return searchChanges(this.#session, this.#text, this.#first);
  }

  @Field(() => UserMatches, { nullable: true, description: "Users with the text in the e-mail address." })
  get users(): Promise<Found<object>> {
    return searchUsers(this.#session, this.#text, this.#first);
  }

  @Field(() => ApiKeyMatches, {
    nullable: true,
    description: "API keys with the text in the name, or as the beginning of the fingerprint; revoked ones last.",
  })
  get apiKeys(): Promise<Found<object>> {
    return searchApiKeys(this.#session, this.#text, this.#first);
  }

  @Field(() => TsigKeyMatches, {
    nullable: true,
    description: "TSIG keys with the text in the name; revoked ones last.",
  })
  get tsigKeys(): Promise<Found<object>> {
    return searchTsigKeys(this.#session, this.#text, this.#first);
  }

  @Field(() => SecondaryMatches, {
    nullable: true,
    description: "Secondaries with the text in the name or the address; none for a user's key.",
  })
  get secondaries(): Promise<Found<object>> {
    return searchSecondaries(this.#session, this.#text, this.#first);
  }
}

const most = 20;
const sizeRange = { message: `write a number from 1 to ${most}` };

@ArgsType()
class SearchArgs {
  @Matches(/\S/, { message: "write what to search for" })
  @PlainTextField(300, { description: "What to search for, in any letter case." })
  text!: string;

  @Field(() => Int, { defaultValue: 5, description: `The most of each kind, 1 to ${most}.` })
  @Min(1, sizeRange)
  @Max(most, sizeRange)
  first!: number;
}

@Resolver()
export class SearchResolver {
  @Query(() => SearchType, {
    description: "Searches records, domains, changes, users, keys and secondaries, as far as the key sees them.",
  })
  search(@Args(() => SearchArgs) args: SearchArgs, @Ctx() { session }: Context): SearchType {
    return new SearchType(session, args);
  }
}
