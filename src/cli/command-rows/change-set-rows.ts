/** The commands of change sets that run one operation and print its result; changes/change-sets.ts has the others. */
import { readFileSync } from "node:fs";
import type { DataOf, Endpoint } from "../service/client.ts";
import { onlyUserId, templateId, userId } from "../service/identify.ts";
import { momentForms, readMoment } from "../terminal/moment.ts";
import { columns } from "../terminal/print.ts";
import { type CommandRow, type Given, list, mutation, operation } from "./command-row.ts";
import { setOption, valuesOf } from "./template-rows.ts";

const listFields = "id title state author updatedAt user { email } zones(first: 1) { totalCount }";
const listColumns = columns("id, title, state, author, user: user.email, zones: zones.totalCount, touched: updatedAt");

export const setDocument = `query ($id: ID!) { changeSet(id: $id) {
  id title description state mode revision author requiredApprovals approvalCount applyAt appliedAt failure { message }
  user { email } progress { zones applied refused }
  zones(first: 100) { nodes { zone action outcome reasons { message } } }
  timeline(last: 50) { nodes { kind actor createdAt text } } } }` as const;
type ShownSet = DataOf<typeof setDocument>["changeSet"];

function zoneText({ zone, action, outcome, reasons }: ShownSet["zones"]["nodes"][number]): string {
  const why = reasons.map(({ message }) => ` ${message}`).join("");
  return `${zone} ${action.toLowerCase()}${outcome ? ` ${outcome.toLowerCase()}${why && ":"}${why}` : ""}`;
}

const progressText = ({ zones, applied, refused }: ShownSet["progress"]) =>
  `${applied} of ${zones}${refused > 0 ? `, ${refused} refused` : ""}`;

const eventText = ({ kind, actor, createdAt, text }: ShownSet["timeline"]["nodes"][number]) =>
  `${createdAt} ${kind.toLowerCase().replace("_", " ")} by ${actor}${text ? `: ${text}` : ""}`;

const setColumns = columns(
  `id, title, description, state, mode, revision, author, user: user.email, approvals needed: requiredApprovals,
  approvals given: approvalCount, due at: applyAt, applied at: appliedAt, why it came back: failure.message,
  zones applied: progress, zones: zones.nodes, timeline: timeline.nodes`,
  { "zones applied": progressText, zones: zoneText, timeline: eventText },
);

const stepColumns = columns("id, title, state, revision, zones: zones.totalCount, done: timeline.nodes", {
  done: eventText,
});

const wordColumns = columns(
  "id, title, description, state, mode, revision, zones: zones.totalCount, done: timeline.nodes",
  { done: eventText },
);

const stepFields = `id title description state mode revision applyAt zones(first: 1) { totalCount }
  timeline(last: 1) { nodes { kind actor createdAt text } }`;

/** The operation and the columns of a command that is one step of a change set, such as its submission. */
const step = (name: string) => ({
  ...mutation(name, `notices { message } changeSet { ${stepFields} }`, "changeSet"),
  columns: stepColumns,
});

/** As `step`, for a step that takes `--text`. */
const stepWithText = (name: string) => ({
  ...step(name),
  options: [["--text <text>", "what its timeline says about it"]] as const,
  variables: ({ args: [id], options: { text } }: Given<"--text <text>">) => ({ input: { changeSetId: id, text } }),
});

/** Reads a record: owner, optional TTL, type and data; throws a sentence for any other text. */
export function readRecord(text: string): object {
  const [, owner, ttl, type, rdata] = /^(\S+)\s+(?:(\d+)\s+)?([A-Za-z]\S*)\s+(\S.*)$/.exec(text.trim()) ?? [];
  if (owner === undefined) throw new Error(`--add: "${text}" is no record; write one such as "www 300 A 192.0.2.1".`);
  return { owner, type, rdata, ...(ttl !== undefined && { ttl: Number(ttl) }) };
}

const stageOptions = [
  ["--add <record...>", 'records to add, such as "www 300 A 192.0.2.1"'],
  ["--remove <id...>", "ids of records to remove"],
  ["--create", "create the zone with its default records, and those of --add"],
  ["--template <template>", "with --create: the template that it is made from, by name or id"],
  setOption,
  ["--delete", "delete the zone with all its records"],
  ["--restore", "bring the deleted zone back with all its records"],
  ["--id <id>", "of several deleted zones of the name, the one that --restore means (default: deleted last)"],
  ["--user <user>", "who will own what is created or restored, by e-mail address or id"],
  ["--append", "keep what is staged for the zone, and add this"],
  ["--replace", "put this in the place of what is staged for the zone"],
  ["--revert-to <moment>", `make the zone what it was: ${momentForms}`],
  ["--import <file>", "add what this master file has"],
  ["--import-replace <file>", "make the zone what this master file says"],
] as const;
type StageFlags = (typeof stageOptions)[number][0];

/**
 * The actions by which a zone can be staged, and the options that each allows. An action is chosen by the option of its name; without such
 * an option it is `edits`.
 */
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

/** The staging action that the options select. Throws when they select two, or include an option of another action. */
function stagedBy(options: Readonly<Record<string, unknown>>): string {
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

/** The zone as `stageChanges` takes it. */
async function partOf({ args: [, zone], options }: Given<StageFlags>, endpoint: Endpoint): Promise<object> {
  const { remove = [], append = false, template, set, id: domainId, user, revertTo = "" } = options;
  const action = stagedBy(options);
  const add = (options.add ?? []).map(readRecord);
  const owner = user === undefined ? undefined : await userId(endpoint, user);
  const file = (path = "", mode: string) => ({ import: { zone, text: readFileSync(path, "utf8"), mode } });
  if (action === "delete") return { delete: { zone } };
  if (action === "restore") return { restore: { zone, domainId, userId: owner } };
  if (action === "revertTo") return { revert: { zone, to: readMoment(revertTo) } };
  if (action === "import") return file(options.import, "MERGE");
  if (action === "importReplace") return file(options.importReplace, "REPLACE");
  if (action === "edits") return { edit: { zone, add, remove, append } };
  return {
    create: {
      zone,
      userId: owner ?? (await onlyUserId(endpoint)),
      templateId: template === undefined ? undefined : await templateId(endpoint, template),
      variables: set && valuesOf(set),
      add,
    },
  };
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

export const changeSetRows: readonly CommandRow[] = [
  operation({
    words: "changeset list",
    description: "list the change sets, the newest first",
    options: [
      ["--state <state>", "only those in this state, such as IN_REVIEW"],
      ["--zone <zone>", "only those that do something to this zone"],
      ["--awaiting-me", "only those that this key may approve, and has not"],
      ["--mine", "only those that this key, or one that it made, created or staged in"],
    ],
    ...list("changeSets", listFields, 100, "ChangeSetFilter"),
    variables: ({ options: { state, zone, awaitingMe, mine } }) => ({
      filter: { zone, awaitingMe, mine, states: state === undefined ? undefined : [state.toUpperCase()] },
    }),
    columns: listColumns,
  }),
  {
    words: "changeset show <id>",
    description: "show a change set: its state, its zones, and what happened to it",
    document: setDocument,
    variables: ({ args: [id] }) => ({ id }),
    result: "changeSet",
    columns: setColumns,
  },
  operation({
    words: "changeset create <title>",
    description: "create a change set, in which stage puts edits",
    options: [
      ["--description <text>", "more about it"],
      ["--approvals <number>", "how many others must approve it, 0 to 2 (default: 0)"],
      ["--each-zone", "change each zone for itself, instead of all of them or none"],
    ],
    ...step("createChangeSet"),
    variables: ({ args: [title], options: { description, approvals, eachZone } }) => ({
      input: {
        ...{ title, description, requestedApprovals: numberOf(approvals) },
        mode: eachZone ? "EACH_ZONE" : undefined,
      },
    }),
    columns: wordColumns,
  }),
  operation({
    words: "changeset stage <id> <zone>",
    description: "put edits of a zone into a change set",
    options: stageOptions,
    needsOption: true,
    ...step("stageChanges"),
    variables: async (given, endpoint) => {
      const { replace = false } = given.options;
      return { input: { changeSetId: given.args[0], zones: [await partOf(given, endpoint)], replace } };
    },
  }),
  {
    words: "changeset unstage <id> <zone...>",
    description: "take zones out of a change set",
    ...step("stageChanges"),
    variables: ({ args: [id, ...zones] }) => ({ input: { changeSetId: id, unstage: zones } }),
  },
  operation({
    words: "changeset change <id>",
    alias: "edit",
    description: "change the title, the description or the mode of a draft",
    options: [
      ["--title <title>", "new title"],
      ["--description <text>", "new description"],
      ["--approvals <number>", "how many others must approve it, 0 to 2"],
      ["--each-zone", "change each zone for itself"],
      ["--all-zones", "change all zones or none"],
    ],
    needsOption: true,
    ...step("updateChangeSet"),
    variables: ({ args: [changeSetId], options: { title, description, approvals, eachZone, allZones } }) => {
      if (eachZone && allZones) throw new Error("Write --each-zone or --all-zones, one of them.");
      const input = { changeSetId, title, description, requestedApprovals: numberOf(approvals) };
      return { input: { ...input, ...(eachZone && { mode: "EACH_ZONE" }), ...(allZones && { mode: "ALL" }) } };
    },
    columns: wordColumns,
  }),
  operation({
    words: "changeset submit <id>",
    description: "submit a change set to review",
    ...stepWithText("submitChangeSet"),
    advice: { CHANGE_CONFLICT: "changeset preview, which shows the conflicts and how to resolve them" },
  }),
  operation({
    words: "changeset withdraw <id>",
    description: "take a change set out of review; it is a draft again",
    ...stepWithText("withdrawChangeSet"),
  }),
  {
    words: "changeset comment <id> <text>",
    description: "write a comment on a change set",
    ...step("commentChangeSet"),
    variables: ({ args: [id, text] }) => ({ input: { changeSetId: id, text } }),
  },
  operation({
    words: "changeset unschedule <id>",
    description: "take the schedule of a change set away",
    ...stepWithText("unscheduleChangeSet"),
  }),
  operation({
    words: "changeset resolve <id> <zone>",
    description: "keep or leave out the edits of a zone that others are in conflict with",
    options: [
      ["--mine", "keep the edits, for the records as they are now"],
      ["--theirs", "leave out all edits of the RRsets in conflict"],
      ["--owner <owner>", "only those of this owner"],
      ["--type <type>", "only those of this type"],
    ],
    needsOption: true,
    ...step("resolveConflicts"),
    variables: ({ args: [changeSetId, zone], options: { mine = false, theirs = false, owner, type } }) => {
      if (mine === theirs) throw new Error("Write --mine or --theirs, one of them.");
      return { input: { changeSetId, zone, resolution: mine ? "MINE" : "THEIRS", owner, type } };
    },
  }),
  operation({
    words: "changeset restage <id>",
    description: "stage again what was refused of a change set, in another",
    options: [["--title <title>", "the title of the new set (default: the same)"]],
    ...step("restageChangeSet"),
    variables: ({ args: [changeSetId], options: { title } }) => ({ input: { changeSetId, title } }),
  }),
  operation({
    words: "changeset cancel <id>",
    description: "give a change set up",
    ...stepWithText("cancelChangeSet"),
  }),
];
