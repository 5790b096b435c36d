/** Master files in the schema: import and export of a zone. */
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from "type-graphql";
import { plannedImport, withFindings } from "../../../finding/change-findings.ts";
import { ChangeRecord, type ShownRecord } from "../../../zone/change-record.ts";
import type { Loss } from "../../../zone/loss.ts";
import { importZone } from "../../../zone/master-file/import.ts";
import type { Context } from "../../context.ts";
import { enumType } from "../../scalars/enum-type.ts";
import { IdScalar, SerialScalar } from "../../scalars/scalars.ts";
import { DryRunField, NoteField, SkipUnsupportedField } from "../shared/input-fields.ts";
import { LossField, OptionalChangePayload } from "../shared/payloads.ts";

export const ImportMode = enumType("ImportMode", "What happens to records that the file does not contain.", {
  MERGE: "They stay, and so does the SOA; the records of the file are added.",
  REPLACE: "They are removed: the zone becomes the content of the file, which needs exactly one SOA.",
});

@InputType({ description: "A master file (RFC 1035 §5) and the zone it is for." })
class ImportZoneInput {
  @Field(() => String, { description: "Zone name in any spelling; the origin of the file until an $ORIGIN." })
  zone!: string;

  @Field(() => String, { description: "The text of the file. A large one goes to POST /api/domain/zonefile/:zone." })
  text!: string;

  @Field(() => ImportMode, { description: "What happens to records that the file does not contain." })
  mode!: keyof typeof ImportMode;

  @Field(() => IdScalar, { nullable: true, description: "Create the zone for this user when it does not exist." })
  userId?: number;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial that the zone must be at, such as that of the dry run; otherwise STALE_SERIAL.",
  })
  expectedSerial?: number;

  @SkipUnsupportedField()
  skipUnsupported!: boolean;

  @DryRunField()
  dryRun!: boolean;

  @NoteField()
  note?: string;
}

@ObjectType({ description: "Result of an import.", simpleResolvers: true })
class ImportZonePayload extends OptionalChangePayload {
  @Field(() => Int, { description: "Number of added records without the SOA; a changed TTL counts as both." })
  addedCount!: number;

  @Field(() => Int, { description: "Number of records removed, without the SOA." })
  removedCount!: number;

  @Field(() => [ChangeRecord], {
    description: "The first 1000 added records; the SOA first, if more than its serial changes.",
  })
  added!: readonly ShownRecord[];

  @Field(() => [ChangeRecord], {
    description: "The first 1000 removed records; the SOA first, if more than its serial changes.",
  })
  removed!: readonly ShownRecord[];

  @LossField()
  loss!: Loss;

  @Field(() => Int, { description: "Number of notices; `notices` has the first 100." })
  noticeCount!: number;
}

@Resolver()
export class ZoneFileResolver {
  @Mutation(() => ImportZonePayload, {
    description: "Imports a master file into a zone as one change, all or nothing.",
  })
  async importZone(
    @Arg("input", () => ImportZoneInput) input: ImportZoneInput,
    @Ctx() { session }: Context,
  ): Promise<ImportZonePayload> {
    const { text, note, ...request } = input;
    const result = await importZone({ ...session, note }, { ...request, text: [text] });
    const { added: addedCount, removed: removedCount, addedRecords: added, removedRecords: removed, ...rest } = result;
    const notices = request.dryRun ? await withFindings(session, plannedImport(result)) : rest.notices;
    return { ...rest, notices, addedCount, removedCount, added, removed };
  }
}
