/** The notes of a zone's RRsets: kept beside the zone, without a change of it. */
import { graphql } from "./generated/gql.ts";
import { run } from "./run.ts";

const notesQuery = graphql(`
  query RRsetNotes($zone: String!, $after: String) {
    domain(by: { zone: $zone }) {
      notes(first: 1000, after: $after) {
        nodes { owner type text }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const setNoteMutation = graphql(`
  mutation SetRRsetNote($input: SetNoteInput!) {
    setNote(input: $input) {
      note { text }
    }
  }
`);

/** A note of an RRset; an empty text where it does not have one. */
export interface RrsetNote {
  /** Relative to the zone; `@` is the apex. */
  readonly owner: string;
  readonly type: string;
  /** One line or several. */
  readonly text: string;
}

/** The longest note, characters. */
export const maxNoteLength = 1000;

/** All notes of a zone. Throws Refused or Unreachable. */
export async function readNotes(zone: string, signal?: AbortSignal): Promise<readonly RrsetNote[]> {
  const notes: RrsetNote[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof notesPage>> = await notesPage(zone, after, signal);
    notes.push(...(page?.nodes ?? []));
    after = page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return notes;
}

const notesPage = async (zone: string, after: string | null, signal?: AbortSignal) =>
  (await run(notesQuery, { zone, after }, signal)).domain?.notes;

/** Writes the note of an RRset, or removes it. Throws Refused or Unreachable. */
export async function writeNote(zone: string, { owner, type, text }: RrsetNote): Promise<void> {
  const absolute = owner === "@" || owner.endsWith(".") ? owner : `${owner}.${zone}.`;
  await run(setNoteMutation, { input: { zone, owner: absolute, type, text } });
}
