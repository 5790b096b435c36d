/** The notes of a zone's RRsets, which are beside the zone: writing one makes no change of the zone. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { readAll } from "./pages.ts";
import { readAgain } from "./queries.ts";
import type { RrsetNote } from "./rrset-note.ts";
import { act, graphql, run } from "./run.ts";

export const maxNoteLength = 1000;

const notesQuery = graphql(`
  query RRsetNotes($zone: String!, $after: String) {
    domain(by: { zone: $zone }) {
      notes(first: 1000, after: $after) { nodes { owner type text } pageInfo { hasNextPage endCursor } }
    }
  }
`);

/** All notes of a zone. Throws Refused or Unreachable. */
export const readNotes = (zone: string, signal?: AbortSignal): Promise<RrsetNote[]> =>
  readAll(async (after) => (await run(notesQuery, { zone, after }, signal)).domain?.notes);

const byRrset = (notes: readonly RrsetNote[]): ReadonlyMap<string, string> =>
  new Map(notes.map(({ owner, type, text }) => [`${owner} ${type}`, text]));

/** The notes of a zone at a serial, by owner and type: a change that moves an RRset takes its note along. */
export const notesOptions = (zone: string, serial: number) =>
  queryOptions({
    queryKey: ["rrset-notes", zone, serial],
    queryFn: ({ signal }) => readNotes(zone, signal),
    placeholderData: keepPreviousData,
    select: byRrset,
  });

/** Writes the note of an RRset, or removes it. Throws Refused or Unreachable. */
export async function writeNote(zone: string, { owner, type, text }: RrsetNote): Promise<void> {
  const absolute = owner === "@" || owner.endsWith(".") ? owner : `${owner}.${zone}.`;
  await act("setNote", { zone, owner: absolute, type, text });
  readAgain("rrset-notes");
}
