/** `note` and `label`: the notes of RRsets, and the labels of zones. */
import { callGraphql, type DataOf, type Endpoint, pageInfo } from "../service/client.ts";
import { columns } from "../terminal/print.ts";
import { type CommandRow, command, mutation, type OperationRow, operation, runRow } from "./command-row.ts";

const noteColumns = columns("owner, type, by: actor, when: updatedAt, note: text", {
  note: (text: string) => text.replaceAll("\n", " / "),
});
const noteFields = "owner type text actor updatedAt";

export const notesDocument = `query ($after: String, $zone: String!) { domain(by: { zone: $zone }) {
  notes(first: 1000, after: $after) { nodes { ${noteFields} } ${pageInfo} } } }` as const;

export const notesRow: OperationRow = {
  words: "note <zone>",
  description: "list the notes of a zone",
  document: notesDocument,
  variables: ({ args: [zone] }) => ({ zone }),
  result: "domain.notes.nodes",
  columns: noteColumns,
};

export const setNoteRow: OperationRow = {
  words: "note <zone> <owner> <type> <text...>",
  description: "write the note of an RRset",
  ...mutation("setNote", `notices { message } note { ${noteFields} }`),
  variables: ({ args: [zone, owner, type, ...text] }) => ({ input: { zone, owner, type, text: text.join(" ") } }),
  text: ({ note }, { args: [, owner, type] }) =>
    note ? `${owner} ${type} has the note.` : `${owner} ${type} has no note.`,
};

export const labelsDocument = "query ($zone: String!) { domain(by: { zone: $zone }) { zone labels { name value } } }";
type Label = DataOf<typeof labelsDocument>["domain"]["labels"][number];

export const labelText = ({ name, value }: Label) => (value === "" ? name : `${name}=${value}`);

/** The labels of a zone after edits: `env=prod` and `env` set one, `env-` removes one. */
async function editedLabels(endpoint: Endpoint, zone: string, edits: readonly string[]): Promise<Label[]> {
  const { domain } = await callGraphql(endpoint, labelsDocument, { zone });
  const labels = new Map(domain.labels.map(({ name, value }) => [name, value]));
  for (const edit of edits) {
    const [name = "", ...value] = edit.split("=");
    if (value.length === 0 && name.endsWith("-")) labels.delete(name.slice(0, -1));
    else labels.set(name, value.join("="));
  }
  return [...labels].map(([name, value]) => ({ name, value }));
}

export const labelRow = operation({
  words: "label <zone> [labels...]",
  description: "show the labels of a zone, or change some: env=prod or env sets a label, env- removes it",
  ...mutation("updateDomain", "domain { zone labels { name value } }", "domain"),
  variables: async ({ args: [zone = "", ...edits] }, endpoint) => ({
    input: { by: { zone }, labels: await editedLabels(endpoint, zone, edits) },
  }),
  columns: columns("zone, labels", { labels: labelText }),
});

export const shownLabelsRow: OperationRow = {
  ...labelRow,
  document: labelsDocument,
  variables: ({ args: [zone] }) => ({ zone }),
  result: "domain",
};

export const annotationRows: readonly CommandRow[] = [
  {
    words: labelRow.words,
    description: labelRow.description,
    run: (given, { endpoint }) => runRow(given.args.length > 1 ? labelRow : shownLabelsRow, given, endpoint),
  },
  command({
    words: "note <zone> [owner] [type] [text...]",
    description: "list the notes of a zone's RRsets, or write one, which is no change of the zone",
    options: [["--remove", "remove the note of the RRset"]],
    run: (given, { endpoint }) => {
      const { length } = given.args;
      if (length === 1) return runRow(notesRow, given, endpoint);
      if (length === 2 || length > 3 === (given.options.remove === true))
        given.refuse("write an owner, a type and a text, or --remove");
      return runRow(setNoteRow, given, endpoint);
    },
  }),
];
