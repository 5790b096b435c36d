/** `status`: the running service on one screen, once or again and again (`--watch`). */
import { InvalidArgumentError } from "commander";
import { type CommandRow, command } from "./command-rows/command-row.ts";
import { callGraphql, type DataOf, type Endpoint, RefusedError } from "./service/client.ts";
import { print, queryAnswerText, servedText } from "./terminal/print.ts";
import { drawAgain, type Line, rendered, type Style } from "./terminal/screen.ts";
import { aligned } from "./terminal/table.ts";

export const serviceDocument = `{
  service { version dnsAddress dnsPort nameServers warnings }
  users(first: 1) { totalCount } domains(first: 1) { totalCount }
  live: domains(first: 1, filter: { state: LIVE }) { totalCount }
  pending: domains(first: 1, filter: { state: PENDING }) { totalCount }
  late: domains(first: 5, filter: { state: LATE }) {
    totalCount nodes { zone publication { since secondaries { name state lastError } } } }
  unserved: domains(first: 1, filter: { state: UNSERVED }) { totalCount }
  updateRefusals(first: 5) { nodes { createdAt zone reason } } }`;

export const operatorDocument = `{
  instances { host pid version startedAt seenAt isAlive isLeader }
  secondaries(first: 100) { nodes { name address port lastQuery { at zone answer succeeded } lastNotify { at message }
    lastTsigError { at message } joinedAt progress { served total } } }
  pendingCatalogRemoval { removalCount } pendingRestore { zoneCount } }`;

type OperatorState = DataOf<typeof operatorDocument>;
export type Secondary = OperatorState["secondaries"]["nodes"][number];

/** The state of the service at a moment; `operator` is undefined for a user's key. */
export interface Picture {
  readonly url: string;
  readonly now: Date;
  readonly service: DataOf<typeof serviceDocument>;
  readonly operator: OperatorState | undefined;
}

async function readState(endpoint: Endpoint): Promise<Picture> {
  const service = await callGraphql(endpoint, serviceDocument, {});
  return { url: endpoint.url, now: new Date(), service, operator: await readOperatorState(endpoint) };
}

async function readOperatorState(endpoint: Endpoint): Promise<OperatorState | undefined> {
  try {
    return await callGraphql(endpoint, operatorDocument, {});
  } catch (error) {
    if (error instanceof RefusedError && error.body.error === "FORBIDDEN") return undefined;
    throw error;
  }
}

export const statusRow: CommandRow = command({
  words: "status",
  description: "show the service, its instances, domains and secondaries, what is late, and what failed last",
  options: [["--watch [seconds]", "draw it again and again", (option) => option.preset("5").argParser(seconds)]],
  run: async ({ options: { json, watch } }, { endpoint, isColoured }) => {
    if (watch !== undefined) {
      if (json || !process.stdout.isTTY) throw new Error("--watch draws on a terminal; leave it out here.");
      return drawAgain(process.stdout, Number(watch), isColoured, watched(endpoint));
    }
    const state = await readState(endpoint);
    if (json) {
      const { secondaries, ...others } = state.operator ?? {};
      return print(json, { url: state.url, ...state.service, ...others, secondaries: secondaries?.nodes }, "");
    }
    for (const line of statusLines(state)) console.log(rendered(line, isColoured));
    for (const warning of state.service.service.warnings) console.error(`warning: ${warning}`);
  },
});

function seconds(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Write a whole number of seconds from 1.");
}

/** Reads lines; while the service does not answer, returns the last ones below the reason. */
function watched(endpoint: Endpoint): () => Promise<readonly Line[]> {
  let last: readonly Line[] = [];
  return async () => {
    try {
      const state = await readState(endpoint);
      const warnings = state.service.service.warnings.map(
        (text): Line => ({ text: `warning: ${text}`, style: "warning" }),
      );
      last = [...statusLines(state), ...(warnings.length > 0 ? [{ text: "" }, ...warnings] : [])];
      return last;
    } catch (error) {
      return [{ text: (error as Error).message, style: "bad" }, { text: "" }, ...last];
    }
  };
}

interface TableRow {
  readonly cells: readonly string[];
  readonly style?: Style | undefined;
}

/** The most failures that are shown. */
const mostFailures = 5;

/** All lines, with an empty one between the parts. */
export function statusLines(picture: Picture): Line[] {
  const { service, operator, now } = picture;
  const parts = [
    headLines(picture),
    ...(operator
      ? [
          table(
            ["INSTANCE", "", "VERSION", "STARTED", "SEEN"],
            operator.instances.map((each) => instanceRow(each, now)),
          ),
          secondaryLines(operator.secondaries.nodes, now),
          pendingLines(operator),
        ]
      : []),
    table(
      ["LATE ZONE", "SINCE", "WHERE"],
      service.late.nodes.map((each) => lateRow(each, now)),
    ),
    failureLines(picture),
  ];
  return parts.filter(({ length }) => length > 0).flatMap((part, at) => (at === 0 ? part : [{ text: "" }, ...part]));
}

function headLines({ url, service: { service, ...counts } }: Picture): Line[] {
  const { users, domains, live, pending, late, unserved } = counts;
  const states = Object.entries({ LIVE: live, PENDING: pending, LATE: late, UNSERVED: unserved })
    .filter(([, { totalCount }]) => totalCount > 0)
    .map(([name, { totalCount }]) => `${totalCount} ${name}`);
  const style: Style = late.totalCount > 0 ? "bad" : pending.totalCount + unserved.totalCount > 0 ? "warning" : "good";
  const lines: readonly (readonly [name: string, value: string, style?: Style])[] = [
    ["Zonesmith", `${service.version} at ${url}`, "heading"],
    ["DNS", `${service.dnsAddress} port ${service.dnsPort}`],
    ["Name servers", service.nameServers.join(" ")],
    ["Users", String(users.totalCount)],
    ["Domains", [domains.totalCount, ...(states.length > 0 ? [`(${states.join(", ")})`] : [])].join(" "), style],
  ];
  return lines.map(([name, value, look]) => ({ text: `${name.padEnd(12)}  ${value}`, ...(look && { style: look }) }));
}

function instanceRow(
  { host, pid, version, startedAt, seenAt, isAlive, isLeader }: OperatorState["instances"][number],
  now: Date,
): TableRow {
  const state = isLeader ? "leads" : isAlive ? "" : "gone";
  return {
    cells: [`${host} (${pid})`, state, version, age(startedAt, now), age(seenAt, now)],
    style: isAlive ? undefined : "bad",
  };
}

function secondaryLines(secondaries: readonly Secondary[], now: Date): Line[] {
  if (secondaries.length === 0)
    return [{ text: "Secondaries   none; add one with: zonesmith secondary add", style: "warning" }];
  return table(
    ["SECONDARY", "ADDRESS", "ZONES", "ASKED", "ANSWER"],
    secondaries.map((secondary) => {
      const { name, address, port, progress, joinedAt, lastQuery } = secondary;
      const answer = lastQuery ? queryAnswerText(lastQuery) : "not asked yet";
      const hasAll = joinedAt !== null && progress?.served === progress?.total;
      const queried = lastQuery ? age(lastQuery.at, now) : "-";
      return {
        cells: [name, `${address} port ${port}`, servedText(secondary), queried, answer],
        style: lastQuery?.succeeded === false ? "bad" : hasAll ? undefined : "warning",
      };
    }),
  );
}

function pendingLines({ pendingCatalogRemoval, pendingRestore }: OperatorState): Line[] {
  const texts = [
    pendingCatalogRemoval &&
      `The removal of ${pendingCatalogRemoval.removalCount} zones from the catalog waits for confirmCatalogRemoval.`,
    pendingRestore && `The publication of ${pendingRestore.zoneCount} zones waits for confirmRestore.`,
  ];
  return texts.filter((text) => text !== null).map((text) => ({ text, style: "warning" }));
}

function lateRow({ zone, publication }: Picture["service"]["late"]["nodes"][number], now: Date): TableRow {
  const late = publication.secondaries.filter(({ state }) => state === "LATE");
  const where = late.map(({ name, lastError }) => `${name}${lastError ? `: ${lastError}` : ""}`).join("; ");
  return { cells: [zone, age(publication.since, now), where], style: "bad" };
}

/** The latest refused signatures and dynamic updates. */
function failureLines({ service, operator, now }: Picture): Line[] {
  const ofSecondaries = (operator?.secondaries.nodes ?? []).flatMap(({ name, lastTsigError }) =>
    lastTsigError ? [{ at: lastTsigError.at, what: `secondary ${name}`, why: lastTsigError.message }] : [],
  );
  const updates = service.updateRefusals.nodes.map(({ createdAt, zone, reason }) => ({
    at: createdAt,
    what: `update of ${zone}`,
    why: reason,
  }));
  const latest = [...ofSecondaries, ...updates].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, mostFailures);
  return table(
    ["FAILED", "WHAT", "WHY"],
    latest.map(({ at, what, why }) => ({ cells: [age(at, now), what, why] })),
  );
}

/** The lines of a table with its headings; no lines without a row. */
function table(headings: readonly string[], rows: readonly TableRow[]): Line[] {
  if (rows.length === 0) return [];
  const [heading = "", ...lines] = aligned([headings, ...rows.map(({ cells }) => cells)]);
  const styled = lines.map((text, at): Line => {
    const style = rows[at]?.style;
    return { text: text.trimEnd(), ...(style && { style }) };
  });
  return [{ text: heading, style: "heading" }, ...styled];
}

const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** The age of a time in its largest unit. */
export function age(time: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - new Date(time).getTime()) / 1000));
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}
