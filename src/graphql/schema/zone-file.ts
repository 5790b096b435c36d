/**
 * Master files in the schema: a zone in, and a zone out.
 */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
  registerEnumType,
} from "type-graphql";
import { Change, ChangeRecord, type ChangeRecordRow, type ChangeRow } from "../../zone/change.ts";
import { Domain, type DomainRow } from "../../zone/domain.ts";
import { mostInText, zoneFileText } from "../../zone/master-file/export.ts";
import { type ImportResult, importZone } from "../../zone/master-file/import.ts";
import type { Context } from "../context.ts";
import { readOptionalId } from "../read-id.ts";

const ImportMode = { MERGE: "MERGE", REPLACE: "REPLACE" } as const;
registerEnumType(ImportMode, {
  name: "ImportMode",
  description: "What becomes of records that the file does not hold.",
  valuesConfig: {
    MERGE: { description: "They stay, and so does the SOA; the file's records join them." },
    REPLACE: { description: "They go: the zone becomes the file, which needs exactly one SOA." },
  },
});

@InputType({ description: "A master file (RFC 1035 §5) and the zone it is for." })
class ImportZoneInput {
  @Field(() => String, {
    description: "Zone name in any spelling; the origin of the file until $ORIGIN says otherwise.",
  })
  zone!: string;

  @Field(() => String, {
    description: "The file. One larger than a request's body goes to POST /api/domain/zonefile/:zone.",
  })
  text!: string;

  @Field(() => ImportMode, { description: "What becomes of records that the file does not hold." })
  mode!: keyof typeof ImportMode;

  @Field(() => ID, {
    nullable: true,
    description: "Create a zone that is not there, for this user; left out, it is NOT_FOUND.",
  })
  userId?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Judge the whole file and tell what would change, but change nothing.",
  })
  dryRun!: boolean;
}

@ObjectType({ description: "What an import came to.", simpleResolvers: true })
class ImportZonePayload {
  @Field(() => Change, {
    nullable: true,
    description: "The change; null in a dry run, or when the zone is like the file already.",
  })
  change!: ChangeRow | null;

  @Field(() => Int, {
    description: "Number of records added, the SOA aside; a record with another TTL is removed and added.",
  })
  added!: number;

  @Field(() => Int, { description: "Number of records removed, the SOA aside." })
  removed!: number;

  @Field(() => [ChangeRecord], { description: "The first 1000 of the added records." })
  addedRecords!: readonly ChangeRecordRow[];

  @Field(() => [ChangeRecord], { description: "The first 1000 of the removed records." })
  removedRecords!: readonly ChangeRecordRow[];

  @Field(() => [String], { description: "What was mended, or accepted and still looks wrong; the first 100." })
  warnings!: readonly string[];
}

@Resolver(() => Domain)
export class ZoneFileResolver {
  @FieldResolver(() => String, {
    complexity: mostInText,
    description:
      "The zone as a master file, 1000 records at most; a larger one is TOO_LARGE: read GET /api/domain/zonefile/:zone.",
  })
  zoneFile(@Root() domain: DomainRow, @Ctx() { session }: Context): Promise<string> {
    return zoneFileText(session, domain);
  }

  @Mutation(() => ImportZonePayload, {
    description: "Brings a master file into a zone as one change, whole or not at all.",
  })
  importZone(
    @Arg("input", () => ImportZoneInput) input: ImportZoneInput,
    @Ctx() { session }: Context,
  ): Promise<ImportResult> {
    const { zone, text, mode, userId, dryRun } = input;
    return importZone(session, { zone, text: [text], mode, dryRun, userId: readOptionalId(userId, "userId") });
  }
}
