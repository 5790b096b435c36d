/**
 * `edit`: one edit of many records in many zones, from the command line. It is shown before it is applied.
 */
import type { Command } from "commander";
import { callGraphql } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { print } from "../terminal/print.ts";
import { applyDraft } from "./apply-draft.ts";
import { type Preview, previewFields, printPreview, type Terminal } from "./preview.ts";

const counts =
  "matchedCount changedCount mergedCount refusedCount zoneCount longestTtl refusals { zone owner type message }";

export const editDocument = `mutation ($input: EditRecordsInput!) { editRecords(input: $input) { ${counts} changeSet { id } } }`;
export const dryEditDocument = `mutation ($input: EditRecordsInput!) { editRecords(input: $input) { ${counts} preview { ${previewFields} } } }`;

interface Edited {
  readonly matchedCount: number;
  readonly changedCount: number;
  readonly mergedCount: number;
  readonly refusedCount: number;
  readonly zoneCount: number;
  readonly longestTtl: number;
  readonly refusals: readonly {
    readonly zone: string;
    readonly owner: string;
    readonly type: string;
    readonly message: string;
  }[];
  readonly changeSet?: { readonly id: string } | null;
  readonly preview?: Preview | null;
}

interface Options {
  readonly all?: boolean;
  readonly zones?: readonly string[];
  readonly label?: readonly string[];
  readonly owner?: string;
  readonly type?: readonly string[];
  readonly ttlMin?: string;
  readonly ttlMax?: string;
  readonly rdata?: string;
  readonly address?: string;
  readonly name?: string;
  readonly text?: string;
  readonly contains?: string;
  readonly to?: string;
  readonly ttl?: string;
  readonly remove?: boolean;
  readonly exampleNames?: boolean;
  readonly title?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function editCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("edit")
    .description(
      "edit the records that match, in all zones: replace, set the TTL, or remove; shown first, then applied",
    )
    .option("--all", "the records of all zones, where no option selects some")
    .option("--zones <zone...>", "only in these zones; * is any characters (default: all that the key may see)")
    .option("--label <label...>", "only in domains with these labels, such as env=prod")
    .option("--owner <owner>", "only records of this owner, relative to the zone; * is any characters")
    .option("--type <type...>", "only records of these types")
    .option("--ttl-min <seconds>", "only records with this TTL or a longer one")
    .option("--ttl-max <seconds>", "only records with this TTL or a shorter one")
    .option("--name <name>", "only records with this name in their data; *.example.com is any below it")
    .option("--address <address>", "only records with this address in their data, or one in this prefix")
    .option("--rdata <data>", "only records with this data")
    .option("--text <text>", "only with --to: the text inside character strings to replace")
    .option("--contains <part>", "only records with this part in a field of their data")
    .option("--to <value>", "replace the name, address, data or text by this")
    .option("--ttl <seconds>", "the new TTL")
    .option("--remove", "remove the records")
    .option(
      "--example-names",
      "replace the example's name servers and mailbox by those of NAME_SERVERS and HOSTMASTER, in NS and SOA records",
    )
    .option("--title <title>", "the title of the change set, and the note of its changes")
    .option("--draft", "leave it as a change set, to be reviewed or applied later")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "do not ask whether it is meant");
  command.action((_options: unknown, given: Command) => edit(terminal, given.optsWithGlobals<Options>(), given));
}

async function edit(terminal: Terminal, options: Options, command: Command): Promise<void> {
  const input = readInput(options, (message) => command.error(`error: ${message}`, { exitCode: 2 }));
  const { dryRun = false, json = false } = options;
  const { editRecords } = await callGraphql<{ editRecords: Edited }>(
    terminal.endpoint(),
    dryRun ? dryEditDocument : editDocument,
    { input: { ...input, dryRun } },
  );
  const { changeSet, preview } = editRecords;
  if (!json) printCounts(editRecords);
  if (preview && !json) printPreview(preview, terminal);
  if (changeSet) return applyDraft(terminal, changeSet.id, options);
  print(json, editRecords, "Nothing was changed.");
  const { changedCount, refusedCount } = editRecords;
  if (preview && !preview.applicable) process.exitCode = exitCodes.stale;
  else if (changedCount === 0) process.exitCode = refusedCount > 0 ? exitCodes.failed : exitCodes.nothingToDo;
}

function printCounts({ longestTtl, refusals, ...counts }: Edited): void {
  const more = [
    ...(counts.mergedCount > 0 ? [`${counts.mergedCount} become equal to others`] : []),
    ...(counts.refusedCount > 0 ? [`${counts.refusedCount} cannot be changed`] : []),
    ...(counts.changedCount > 0 ? [`others may know the old ones for ${longestTtl} s`] : []),
  ];
  console.log(
    `${[`${counts.matchedCount} records match, ${counts.changedCount} change in ${counts.zoneCount} zones`, ...more].join("; ")}.`,
  );
  for (const { zone, owner, type, message } of refusals) console.log(`! ${zone} ${owner} ${type}: ${message}`);
}

/** The parts of data that can be replaced, by the names of their options. */
const parts = ["name", "address", "rdata", "text"] as const;

/** Reads the options as the input of the mutation; `refuse` ends the command. */
export function readInput(options: Options, refuse: (message: string) => never): Record<string, unknown> {
  const { all = false, to, title, contains, text, exampleNames } = options;
  const ttl = numberOf(options.ttl, "--ttl", refuse);
  const named = parts.filter((part) => options[part] !== undefined);
  const [part, ...others] = named;
  if (to !== undefined && (part === undefined || others.length > 0))
    refuse("--to goes with one of --name, --address, --rdata and --text");
  if (to === undefined && text !== undefined) refuse("--text goes with --to; write --contains to select by a part");
  const replace = to !== undefined && part && { [part]: { from: options[part], to } };
  const set = {
    ...(replace && { replace }),
    ...(ttl !== undefined && { ttl }),
    ...(options.remove && { remove: true }),
    ...(exampleNames && { exampleNames }),
  };
  const choices = "--to, --ttl, --remove and --example-names";
  if (Object.keys(set).length === 0) refuse(`nothing to change is given; write one of ${choices}`);
  if (Object.keys(set).length > 1) refuse(`write one of ${choices}, not several`);
  const sought: (readonly [string, string | undefined])[] = [
    ...(to === undefined ? named.map((each) => [each === "rdata" ? "equals" : each, options[each]] as const) : []),
    ...(contains === undefined ? [] : [["contains", contains] as const]),
  ];
  if (sought.length > 1) refuse("write one of --name, --address, --rdata and --contains to select by");
  const filter = {
    zones: options.zones,
    labels: options.label,
    owner: options.owner,
    types: options.type?.map((type) => type.toUpperCase()),
    ttlMin: numberOf(options.ttlMin, "--ttl-min", refuse),
    ttlMax: numberOf(options.ttlMax, "--ttl-max", refuse),
    ...(sought.length > 0 && { rdata: Object.fromEntries(sought) }),
  };
  const isSelecting = named.length > 0 || Object.values(filter).some((value) => value !== undefined);
  if (!all && !isSelecting && !exampleNames)
    refuse("nothing selects the records; write an option such as --zones or --type, or --all");
  return {
    filter,
    set,
    ...(title !== undefined && { title }),
  };
}

function numberOf(text: string | undefined, option: string, refuse: (message: string) => never): number | undefined {
  if (text === undefined || /^\d{1,10}$/.test(text)) return text === undefined ? undefined : Number(text);
  return refuse(`${option} is "${text}"; write seconds`);
}
