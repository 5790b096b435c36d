/**
 * `note` and `label`: what is written beside zones, about their RRsets and about them.
 */
import type { Command } from "commander";
import { callGraphql, type Endpoint } from "../service/client.ts";
import type { Column } from "../terminal/print.ts";
import { addCommand, type CommandRow, runRow } from "./command-row.ts";

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
  document: `mutation ($input: SetNoteInput!) { setNote(input: $input) { notices { message } note { ${noteFields} } } }`,
  variables: ({ args: [zone, owner, type, ...text] }) => ({ input: { zone, owner, type, text: text.join(" ") } }),
  result: "setNote",
  columns: [],
  text: ({ note }, { args: [, owner, type] }) =>
    note ? `${owner} ${type} has the note.` : `${owner} ${type} has no note.`,
};

interface ListedLabel {
  readonly name: string;
  readonly value: string;
}

/** A label as it is written: with its value, or alone. */
export const labelText = (label: unknown) => {
  const { name, value } = label as ListedLabel;
  return value === "" ? name : `${name}=${value}`;
};

export const labelsDocument = "query ($zone: String!) { domain(by: { zone: $zone }) { labels { name value } } }";

/** The labels of a zone after edits: `env=prod` and `env` set one, `env-` removes one. */
async function editedLabels(endpoint: Endpoint, zone: string, edits: readonly string[]): Promise<ListedLabel[]> {
  const { domain } = await callGraphql<{ domain: { labels: readonly ListedLabel[] } }>(endpoint, labelsDocument, {
    zone,
  });
  const labels = new Map(domain.labels.map(({ name, value }) => [name, value]));
  for (const edit of edits) {
    const [name = "", ...value] = edit.split("=");
    if (value.length === 0 && name.endsWith("-")) labels.delete(name.slice(0, -1));
    else labels.set(name, value.join("="));
  }
  return [...labels].map(([name, value]) => ({ name, value }));
}

export const labelRow: CommandRow = {
  words: "label <zone> [labels...]",
  description: "show the labels of a zone, or change some: env=prod or env sets a label, env- removes it",
  document: `mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { zone labels { name value } } } }`,
  variables: async ({ args: [zone = "", ...edits] }, endpoint) => ({
    input: { by: { zone }, labels: await editedLabels(endpoint, zone, edits) },
  }),
  result: "updateDomain.domain",
  columns: [
    ["zone", "zone"],
    ["labels", "labels", labelText],
  ],
};

export const shownLabelsRow: CommandRow = {
  ...labelRow,
  document: "query ($zone: String!) { domain(by: { zone: $zone }) { zone labels { name value } } }",
  variables: ({ args: [zone] }) => ({ zone }),
  result: "domain",
};

/** Adds the commands. */
export function annotationCommands(program: Command, endpoint: () => Endpoint): void {
  addCommand(
    program,
    labelRow,
    (given) => runRow(given.args.length > 1 ? labelRow : shownLabelsRow, given, endpoint()),
    labelRow.words,
  );
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
