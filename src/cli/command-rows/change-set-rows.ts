/**
 * The commands of change sets that run one operation and print its result.
 */
import { readFileSync } from "node:fs";
import type { Endpoint } from "../service/client.ts";
import { onlyUserId, userId } from "../service/identify.ts";
import { momentForms, readMoment } from "../terminal/moment.ts";
import { listColumns, setColumns, setFields, stepColumns, stepFields, wordColumns } from "./change-set-columns.ts";
import type { CommandRow, Given } from "./command-row.ts";
import { templateId, valuesOf } from "./template-rows.ts";

/** The inputs that several mutations have. */
const inputs: Readonly<Record<string, string>> = Object.fromEntries(
  ["submitChangeSet", "withdrawChangeSet", "unscheduleChangeSet", "cancelChangeSet"].map((name) => [
    name,
    "ChangeSetStepInput",
  ]),
);

/** A command that takes a set one step on, and says what was done. */
const step = (
  words: string,
  description: string,
  mutation: string,
  variables: CommandRow["variables"],
): CommandRow => ({
  words: `changeset ${words}`,
  description,
  document: `mutation ($input: ${inputs[mutation] ?? `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`}!) {
    ${mutation}(input: $input) { notices { message } changeSet { ${stepFields} } } }`,
  ...(variables && { variables }),
  result: `${mutation}.changeSet`,
  columns: stepColumns,
});

const textOption = [["--text <text>", "what its timeline says about it"]] as const;

/** The input of a step: the set, and what is said about it. */
const withText: CommandRow["variables"] = ({ args: [id], options: { text } }) => ({
  input: { changeSetId: id, ...(text !== undefined && { text }) },
});

/** An added record as it is written: its owner, its TTL if it is given, its type and its data. */
export function readRecord(text: string): Record<string, unknown> {
  const [, owner, ttl, type, rdata] = /^(\S+)\s+(?:(\d+)\s+)?([A-Za-z]\S*)\s+(\S.*)$/.exec(text.trim()) ?? [];
  if (owner === undefined) throw new Error(`--add: "${text}" is no record; write one such as "www 300 A 192.0.2.1".`);
  return { owner, type, rdata, ...(ttl !== undefined && { ttl: Number(ttl) }) };
}

/** What may be staged for a zone, each as the option that says so, with the options that go with it; without one it is edited. */
const staging: Readonly<Record<string, readonly string[]>> = {
  edits: ["add", "remove", "append"],
  create: ["add", "template", "set", "user"],
  delete: [],
  restore: ["id", "user"],
  revertTo: [],
  import: [],
  importReplace: [],
};

const flagOf = (name: string) =>
  name === "edits" ? name : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** What the options stage; refuses two things at once, and options that go with another. */
function stagedBy(options: Given["options"]): string {
  const isGiven = (name: string) => options[name] !== undefined && options[name] !== false;
  const [action = "edits", second] = Object.keys(staging).filter(isGiven);
  if (second !== undefined) throw new Error(`Write ${flagOf(action)} or ${flagOf(second)}, one of them.`);
  for (const name of new Set(Object.values(staging).flat())) {
    if (!isGiven(name) || staging[action]?.includes(name)) continue;
    const others = Object.keys(staging).filter((other) => staging[other]?.includes(name));
    throw new Error(`${flagOf(name)} goes with ${others.map(flagOf).join(" or ")}, not with ${flagOf(action)}.`);
  }
  return action;
}

/** The part of a zone that is staged. */
async function partOf({ args: [, zone], options }: Given, endpoint: Endpoint): Promise<object> {
  const { remove, append, template, set, id, user } = options;
  const action = stagedBy(options);
  const add = listOf(options.add).map(readRecord);
  const owner = user === undefined ? undefined : await userId(endpoint, String(user));
  const file = (path: unknown, mode: string) => ({ import: { zone, text: readFileSync(String(path), "utf8"), mode } });
  if (action === "delete") return { delete: { zone } };
  if (action === "restore") return { restore: { zone, domainId: id, userId: owner } };
  if (action === "revertTo") return { revert: { zone, to: readMoment(String(options.revertTo)) } };
  if (action === "import") return file(options.import, "MERGE");
  if (action === "importReplace") return file(options.importReplace, "REPLACE");
  if (action === "edits") return { edit: { zone, add, remove: listOf(remove), append: append === true } };
  return {
    create: {
      zone,
      userId: owner ?? (await onlyUserId(endpoint)),
      ...(template !== undefined && { templateId: await templateId(endpoint, String(template)) }),
      ...(set !== undefined && { variables: valuesOf(set) }),
      add,
    },
  };
}

const listOf = (value: unknown) => (value === undefined ? [] : ([value].flat() as string[]));

export const changeSetRows: readonly CommandRow[] = [
  {
    words: "changeset list",
    description: "list the change sets, the newest first",
    options: [
      ["--state <state>", "only those in this state, such as IN_REVIEW"],
      ["--zone <zone>", "only those that do something to this zone"],
      ["--awaiting-me", "only those that this key may approve, and has not"],
      ["--mine", "only those that this key, or one that it made, created or staged in"],
    ],
    document: `query ($after: String, $filter: ChangeSetFilter) { changeSets(first: 100, after: $after, filter: $filter) {
      nodes { id title state author updatedAt user { email } zones(first: 1) { totalCount } } pageInfo { hasNextPage endCursor } } }`,
    variables: ({ options: { state, zone, awaitingMe, mine } }) => ({
      filter: {
        zone,
        ...(awaitingMe && { awaitingMe }),
        ...(mine && { mine }),
        ...(state !== undefined && { states: [String(state).toUpperCase()] }),
      },
    }),
    result: "changeSets.nodes",
    columns: listColumns,
  },
  {
    words: "changeset show <id>",
    description: "show a change set: its state, its zones, and what happened to it",
    document: `query ($id: ID!) { changeSet(id: $id) { ${setFields} } }`,
    variables: ({ args: [id] }) => ({ id }),
    result: "changeSet",
    columns: setColumns,
  },
  {
    ...step("create <title>", "create a change set, in which stage puts edits", "createChangeSet", (given) => {
      const { description, approvals, eachZone } = given.options;
      return {
        input: {
          title: given.args[0],
          ...(description !== undefined && { description }),
          ...(approvals !== undefined && { requestedApprovals: Number(approvals) }),
          ...(eachZone === true && { mode: "EACH_ZONE" }),
        },
      };
    }),
    columns: wordColumns,
    options: [
      ["--description <text>", "more about it"],
      ["--approvals <number>", "how many others must approve it, 0 to 2 (default: 0)"],
      ["--each-zone", "change each zone for itself, instead of all of them or none"],
    ],
  },
  {
    ...step("stage <id> <zone>", "put edits of a zone into a change set", "stageChanges", async (given, endpoint) => ({
      input: {
        changeSetId: given.args[0],
        zones: [await partOf(given, endpoint)],
        replace: given.options.replace === true,
      },
    })),
    options: [
      ["--add <record...>", 'records to add, such as "www 300 A 192.0.2.1"'],
      ["--remove <id...>", "ids of records to remove"],
      ["--create", "create the zone with its default records, and those of --add"],
      ["--template <template>", "with --create: the template that it is made from, by name or id"],
      ["--set <name=value...>", "values of the template's variables"],
      ["--delete", "delete the zone with all its records"],
      ["--restore", "bring the deleted zone back with all its records"],
      ["--id <id>", "of several deleted zones of the name, the one that --restore means (default: deleted last)"],
      ["--user <user>", "who will own what is created or restored, by e-mail address or id"],
      ["--append", "keep what is staged for the zone, and add this"],
      ["--replace", "put this in the place of what is staged for the zone"],
      ["--revert-to <moment>", `make the zone what it was: ${momentForms}`],
      ["--import <file>", "add what this master file has"],
      ["--import-replace <file>", "make the zone what this master file says"],
    ],
    needsOption: true,
  },
  step("unstage <id> <zone...>", "take zones out of a change set", "stageChanges", ({ args: [id, ...zones] }) => ({
    input: { changeSetId: id, unstage: zones },
  })),
  {
    ...step("change <id>", "change the title, the description or the mode of a draft", "updateChangeSet", (given) => {
      const { title, description, approvals, eachZone, allZones } = given.options;
      if (eachZone && allZones) throw new Error("Write --each-zone or --all-zones, one of them.");
      return {
        input: {
          changeSetId: given.args[0],
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(approvals !== undefined && { requestedApprovals: Number(approvals) }),
          ...(eachZone && { mode: "EACH_ZONE" }),
          ...(allZones && { mode: "ALL" }),
        },
      };
    }),
    alias: "edit",
    columns: wordColumns,
    options: [
      ["--title <title>", "new title"],
      ["--description <text>", "new description"],
      ["--approvals <number>", "how many others must approve it, 0 to 2"],
      ["--each-zone", "change each zone for itself"],
      ["--all-zones", "change all zones or none"],
    ],
    needsOption: true,
  },
  {
    ...step("submit <id>", "submit a change set to review", "submitChangeSet", withText),
    options: textOption,
    advice: { CHANGE_CONFLICT: "changeset preview, which shows the conflicts and how to resolve them" },
  },
  {
    ...step("withdraw <id>", "take a change set out of review; it is a draft again", "withdrawChangeSet", withText),
    options: textOption,
  },
  step("comment <id> <text>", "write a comment on a change set", "commentChangeSet", ({ args: [id, text] }) => ({
    input: { changeSetId: id, text },
  })),
  {
    ...step("unschedule <id>", "take the schedule of a change set away", "unscheduleChangeSet", withText),
    options: textOption,
  },
  {
    ...step(
      "resolve <id> <zone>",
      "keep or leave out the edits of a zone that others are in conflict with",
      "resolveConflicts",
      ({ args: [id, zone], options: { mine, theirs, owner, type } }) => {
        if ((mine === true) === (theirs === true)) throw new Error("Write --mine or --theirs, one of them.");
        const input = { changeSetId: id, zone, resolution: mine === true ? "MINE" : "THEIRS" };
        return { input: { ...input, ...(owner !== undefined && { owner }), ...(type !== undefined && { type }) } };
      },
    ),
    options: [
      ["--mine", "keep the edits, for the records as they are now"],
      ["--theirs", "leave out all edits of the RRsets in conflict"],
      ["--owner <owner>", "only those of this owner"],
      ["--type <type>", "only those of this type"],
    ],
    needsOption: true,
  },
  {
    ...step("restage <id>", "stage again what was refused of a change set, in another", "restageChangeSet", (given) => {
      const { title } = given.options;
      return { input: { changeSetId: given.args[0], ...(title !== undefined && { title }) } };
    }),
    options: [["--title <title>", "the title of the new set (default: the same)"]],
  },
  {
    ...step("cancel <id>", "give a change set up", "cancelChangeSet", withText),
    options: textOption,
  },
];
