/** `edit`: one edit of many records in many zones. It is shown before it is applied. */
import {
  type CommandRow,
  command,
  draftOption,
  dryRunOption,
  type OptionsOf,
  yesOption,
} from "../command-rows/command-row.ts";
import { callGraphql, type DataOf, type VariablesOf } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { applyBulk } from "./change-sets.ts";
import { previewFields } from "./preview.ts";

export const editDocument = `mutation ($input: EditRecordsInput!, $isDry: Boolean!) { editRecords(input: $input) {
  matchedCount changedCount mergedCount refusedCount zoneCount longestTtl refusals { zone owner type message }
  changeSet @skip(if: $isDry) { id } preview @include(if: $isDry) { ${previewFields} } } }` as const;
type Edited = DataOf<typeof editDocument>["editRecords"];
type Input = VariablesOf<typeof editDocument>["input"];

const options = [
  ["--all", "the records of all zones, where no option selects some"],
  ["--zones <zone...>", "only in these zones; * is any characters (default: all that the key may see)"],
  ["--label <label...>", "only in domains with these labels, such as env=prod"],
  ["--owner <owner>", "only records of this owner, relative to the zone; * is any characters"],
  ["--type <type...>", "only records of these types"],
  ["--ttl-min <seconds>", "only records with this TTL or a longer one"],
  ["--ttl-max <seconds>", "only records with this TTL or a shorter one"],
  ["--name <name>", "only records with this name in their data; *.example.com is any below it"],
  ["--address <address>", "only records with this address in their data, or one in this prefix"],
  ["--rdata <data>", "only records with this data"],
  ["--text <text>", "only with --to: the text inside character strings to replace"],
  ["--contains <part>", "only records with this part in a field of their data"],
  ["--to <value>", "replace the name, address, data or text by this"],
  ["--ttl <seconds>", "the new TTL"],
  ["--remove", "remove the records"],
  [
    "--example-names",
    "replace the example's name servers and mailbox by those of NAME_SERVERS and HOSTMASTER, in NS and SOA records",
  ],
  ["--title <title>", "the title of the change set, and the note of its changes"],
  draftOption,
  dryRunOption,
  yesOption,
] as const;
type Options = OptionsOf<(typeof options)[number][0]>;

export const editRow: CommandRow = command({
  words: "edit",
  description: "edit the records that match, in all zones: replace, set the TTL, or remove; shown first, then applied",
  options,
  run: async ({ options, refuse }, terminal) => {
    const { dryRun: isDry = false, json } = options;
    const input = { ...readInput(options, refuse), dryRun: isDry };
    const { editRecords } = await callGraphql(terminal.endpoint, editDocument, { input, isDry });
    if (!json) printCounts(editRecords);
    await applyBulk(terminal, editRecords, options);
    const { changeSet, preview, changedCount, refusedCount } = editRecords;
    if (preview && !preview.applicable) process.exitCode = exitCodes.stale;
    else if (!changeSet && changedCount === 0)
      process.exitCode = refusedCount > 0 ? exitCodes.failed : exitCodes.nothingToDo;
  },
});

function printCounts({ longestTtl, refusals, ...counts }: Edited): void {
  const more = [
    ...(counts.mergedCount > 0 ? [`${counts.mergedCount} become equal to others`] : []),
    ...(counts.refusedCount > 0 ? [`${counts.refusedCount} cannot be changed`] : []),
    ...(counts.changedCount > 0 ? [`others may know the old ones for ${longestTtl} s`] : []),
  ];
  const matching = `${counts.matchedCount} records match, ${counts.changedCount} change in ${counts.zoneCount} zones`;
  console.log(`${[matching, ...more].join("; ")}.`);
  for (const { zone, owner, type, message } of refusals) console.log(`! ${zone} ${owner} ${type}: ${message}`);
}

/** The parts of data that can be replaced, by the names of their options. */
const parts = ["name", "address", "rdata", "text"] as const;

/** Reads the options as the input of the mutation; `refuse` ends the command. */
export function readInput(options: Options, refuse: (message: string) => never): Input {
  const { all = false, to, title, contains, text, remove, exampleNames } = options;
  const ttl = numberOf(options.ttl, "--ttl", refuse);
  const named = parts.filter((part) => options[part] !== undefined);
  const [part, ...others] = named;
  if (to !== undefined && (part === undefined || others.length > 0))
    refuse("--to goes with one of --name, --address, --rdata and --text");
  if (to === undefined && text !== undefined) refuse("--text goes with --to; write --contains to select by a part");
  const set = {
    ...(to !== undefined && part && { replace: { [part]: { from: options[part], to } } }),
    ...(ttl !== undefined && { ttl }),
    ...(remove && { remove }),
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
    rdata: sought.length > 0 ? Object.fromEntries(sought) : undefined,
  };
  const isSelecting = named.length > 0 || Object.values(filter).some((value) => value !== undefined);
  if (!all && !isSelecting && !exampleNames)
    refuse("nothing selects the records; write an option such as --zones or --type, or --all");
  // `set` has exactly one field, and `filter.rdata` at most one.
  return { filter, set, title } as Input;
}

function numberOf(text: string | undefined, option: string, refuse: (message: string) => never): number | undefined {
  if (text === undefined || /^\d{1,10}$/.test(text)) return text === undefined ? undefined : Number(text);
  return refuse(`${option} is "${text}"; write seconds`);
}
