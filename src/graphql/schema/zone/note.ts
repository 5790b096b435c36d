import { Arg, Args, Ctx, Field, FieldResolver, InputType, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import type { WithNotices } from "../../../zone/edit/notice.ts";
import { maxNoteLength, type NoteRow, notesOfDomains, notesOfRecords, setNote } from "../../../zone/note.ts";
import { type RecordRow, RecordWithZone } from "../../../zone/record.ts";
import { RrsetNote } from "../../../zone/rrset-note.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { RecordTypeScalar } from "../../scalars/scalars.ts";
import { ZoneField } from "../shared/input-fields.ts";
import { NoticesPayload } from "../shared/payloads.ts";

const RrsetNoteConnection = connectionType("RRsetNote", RrsetNote);

@InputType({ description: "The note of an RRset." })
class SetNoteInput {
  @ZoneField()
  zone!: string;

  @Field(() => String, { description: "The owner of the RRset: relative, absolute, or `@`." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "The type of the RRset." })
  type!: string;

  @Field(() => String, {
    description: `The note, at most ${maxNoteLength} characters, of one line or several; an empty text removes it.`,
  })
  text!: string;
}

@ObjectType({ description: "The note that was written.", simpleResolvers: true })
class SetNotePayload extends NoticesPayload {
  @Field(() => RrsetNote, { nullable: true, description: "The note; null when it was removed." })
  note!: NoteRow | null;
}

@Resolver(() => Domain)
export class NoteResolver {
  @FieldResolver(() => RrsetNoteConnection, {
    nullable: true,
    description: "Notes of RRsets, also of RRsets that do not exist now.",
  })
  async notes(
    @Root() { id }: DomainRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<Connection<NoteRow>> {
    const request = { ...page };
    const read = (ids: readonly number[]) => notesOfDomains(context.session, ids, request);
    return new Connection(await context.load("Domain.notes", request, id, read));
  }

  @Mutation(() => SetNotePayload, {
    description: "Writes the note of an RRset, or removes it. It is not part of the zone: no change is made.",
  })
  async setNote(
    @Arg("input", () => SetNoteInput) { zone, owner, type, text }: SetNoteInput,
    @Ctx() { session }: Context,
  ): Promise<SetNotePayload> {
    const { note, isAboutRrset } = await setNote(session, zone, { owner, type, text });
    return { note, ...(note && !isAboutRrset ? aboutNothing(note) : { notices: [] }) };
  }
}

function aboutNothing({ owner, type }: NoteRow): WithNotices {
  const message = `There is no ${type} record of ${owner} now; the note waits for one.`;
  return { notices: [{ code: "UNKNOWN_RRSET", message, owner, type, field: "owner" }] };
}

@Resolver(() => RecordWithZone)
export class NoteOfRecordResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "The note of its RRset, which `setNote` writes; null without one.",
  })
  async note(@Root() { id }: RecordRow, @Ctx() context: Context): Promise<string | null> {
    return (await context.find("Record.note", id, (ids) => notesOfRecords(context.session, ids))) ?? null;
  }
}
