/**
 * `note`: what is written about RRsets, beside the zone.
 */
import type { Command } from "commander";
import type { Endpoint } from "./client.ts";
import { type CommandRow, runRow } from "./command-row.ts";
import type { Column } from "./print.ts";

const noteColumns: readonly Column[] = [
  ["owner", "owner"],
  ["type", "type"],
  ["by", "actor"],
  ["when", "updatedAt"],
  ["note", "text", (text) => String(text).replaceAll("\n", " / ")],
];
const noteFields = "owner type text actor updatedAt";

export const notesRow: CommandRow = {
  words: "note <zone>",
  description: "list the notes of a zone",
  document: `query ($after: String, $zone: String!) { domain(by: { zone: $zone }) { notes(first: 1000, after: $after) {
    nodes { ${noteFields} } pageInfo { hasNextPage endCursor } } } }`,
  variables: ({ args: [zone] }) => ({ zone }),
  result: "domain.notes.nodes",
  columns: noteColumns,
};

export const setNoteRow: CommandRow = {
  words: "note <zone> <owner> <type> <text...>",
  description: "write the note of an RRset",
  document: `mutation ($input: SetNoteInput!) { setNote(input: $input) { warnings note { ${noteFields} } } }`,
  variables: ({ args: [zone, owner, type, ...text] }) => ({ input: { zone, owner, type, text: text.join(" ") } }),
  result: "setNote",
  columns: [],
  text: ({ note }, { args: [, owner, type] }) =>
    note ? `${owner} ${type} has the note.` : `${owner} ${type} has no note.`,
};

/** Adds the command. */
export function annotationCommands(program: Command, endpoint: () => Endpoint): void {
  program
    .command("note <zone> [owner] [type] [text...]")
    .description("list the notes of a zone's RRsets, or write one, which is no change of the zone")
    .option("--remove", "remove the note of the RRset")
    .action(
      (zone: string, owner: string | undefined, type: string | undefined, text: string[], _: unknown, command) => {
        const options = command.optsWithGlobals();
        if (owner === undefined) return runRow(notesRow, { args: [zone], options }, endpoint());
        if (type === undefined || text.length > 0 === (options.remove === true))
          command.error("error: write an owner, a type and a text, or --remove", { exitCode: 2 });
        return runRow(setNoteRow, { args: [zone, owner, type as string, ...text], options }, endpoint());
      },
    );
}
