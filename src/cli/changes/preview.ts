/** Previews of change sets, read and printed: the first zones or all, and the obstacles in the others. */
import type { Terminal } from "../command-rows/command-row.ts";
import { type DataOf, type Endpoint, pagesOf } from "../service/client.ts";
import { colouredLine, printDifference } from "../terminal/difference.ts";

/** Zones per page of a preview; a page of this size stays within the row limit of an operation. */
const pageSize = 15;

const obstacles =
  "conflicts { message owner type base mine theirs change { actor createdAt serial } } refusals { code message }" as const;
const counts = `fingerprint applicable changedZoneCount removedCount addedCount conflictCount requiredApprovals demandingZones
  deletedZoneCount largeLossCount largeLosses { zone isDeletion lostCount recordCount }`;
const zonesOfPage = `totalCount pageInfo { hasNextPage endCursor } nodes {
    zone action removedCount addedCount rrsets(first: 50) { totalCount nodes { owner type lines { op ttl rdata } } }
    ${obstacles} notices { message } dropped }` as const;
const problems =
  `problems: zones(first: ${pageSize}, onlyProblems: true) { totalCount nodes { zone ${obstacles} } }` as const;

export const previewFields = `${counts} zones(first: ${pageSize}) { ${zonesOfPage} } ${problems}` as const;
export const previewDocument =
  `query ($id: ID!, $after: String) { changeSet(id: $id) { state } changeSetPreview(id: $id) {
  ${counts} zones(first: ${pageSize}, after: $after) { ${zonesOfPage} } ${problems} } }` as const;

export type Preview = DataOf<typeof previewDocument>["changeSetPreview"];
type ZonePreview = Preview["zones"]["nodes"][number];
type Obstacles = Pick<ZonePreview, "conflicts" | "refusals">;
type Losses = Pick<Preview, "deletedZoneCount" | "largeLossCount" | "largeLosses">;

/** The approvals that are needed before any zone is changed, and the first zones that demand them. */
export type Needs = Pick<Preview, "requiredApprovals" | "demandingZones">;

export type Loss = Pick<Preview["largeLosses"][number], "lostCount" | "recordCount">;

export type PreviewOfSet = Preview & DataOf<typeof previewDocument>["changeSet"];

/** Reads and prints the preview of a set: the first zones, or all. */
export async function show(
  terminal: Terminal,
  id: string,
  { json = false, all = false }: { readonly json?: boolean; readonly all?: boolean },
): Promise<PreviewOfSet> {
  const preview = await read(terminal.endpoint, id, all);
  if (json) return preview;
  const advice = `"changeset preview ${id} --all" shows all.`;
  printPreview(preview, terminal, { advice, approving: "", state: preview.state });
  for (const { zone, conflicts } of preview.problems.nodes)
    if (conflicts.some(({ owner }) => owner !== null))
      console.log(`"changeset resolve ${id} ${zone} --mine" keeps the edits in conflict, "--theirs" leaves them out.`);
    else if (conflicts.length > 0) console.log(`"changeset unstage ${id} ${zone}" leaves the zone out.`);
  return preview;
}

async function read(endpoint: Endpoint, id: string, all: boolean): Promise<PreviewOfSet> {
  let whole: { readonly data: DataOf<typeof previewDocument>; readonly nodes: ZonePreview[] } | undefined;
  const listIn = ({ changeSetPreview }: DataOf<typeof previewDocument>) => changeSetPreview.zones;
  for await (const page of pagesOf(endpoint, previewDocument, listIn, { id })) {
    if (whole && page.data.changeSetPreview.fingerprint !== whole.data.changeSetPreview.fingerprint)
      throw new Error(
        "The change set, or a zone that it edits, was changed while its preview was read; read it again.",
      );
    if (whole) whole.nodes.push(...page.nodes);
    else whole = page;
    if (!all) break;
  }
  const { changeSetPreview, changeSet } = (whole as NonNullable<typeof whole>).data;
  return { ...changeSetPreview, ...changeSet };
}

/** The number of approvals that a set needs, with the zones that demand them; undefined for a set without any. */
export function approvalsText({ requiredApprovals, demandingZones }: Needs): string | undefined {
  if (requiredApprovals === 0) return undefined;
  const named = demandingZones.slice(0, maxNamed).join(", ");
  const more = demandingZones.length > maxNamed ? ` and ${demandingZones.length - maxNamed} more` : "";
  const by = named === "" ? "" : `, as demanded by ${named}${more}`;
  return `${requiredApprovals} ${requiredApprovals === 1 ? "approval" : "approvals"}${by}`;
}

/** The most zones that a sentence names. */
const maxNamed = 5;

const allOfDraft = '--draft keeps it as a set, and "changeset preview" shows all of that with --all.';

const draftToApprove = " It would be kept as a draft for that; --zones selects without some.";

/** The parts of a printed preview that differ between a set and a dry run, and the state of the set. */
interface Words {
  /** The hint on how to see all zones. */
  readonly advice?: string;
  /** The text printed after the number of required approvals. */
  readonly approving?: string;
  readonly state?: string;
}

const hasChanged: ReadonlySet<string> = new Set(["APPLIED", "PARTIAL"]);
const isUnapproved: ReadonlySet<string> = new Set(["DRAFT", "IN_REVIEW"]);
const isOver: ReadonlySet<string> = new Set([...hasChanged, "APPLYING", "CANCELLED", "EXPIRED"]);

export const lossText = (zone: string, { lostCount, recordCount }: Loss) =>
  `${zone} loses ${lostCount} of its ${recordCount} records.`;

/**
 * The consequence of applying a set: how many zones it deletes, and from how many it removes more than a tenth of the records. `when` is
 * added after the words `as shown`.
 */
export function consequenceOf({ deletedZoneCount, largeLossCount }: Omit<Losses, "largeLosses">, when = ""): string {
  const others = largeLossCount - deletedZoneCount;
  const does = [
    ...(deletedZoneCount > 0 ? [`deletes ${zones(deletedZoneCount)}`] : []),
    ...(others > 0 ? [`removes more than a tenth of the records of ${zones(others)}`] : []),
  ];
  return `This changes the zones as shown${when}${does.length > 0 ? `: it ${does.join(", and ")}` : ""}.`;
}

const zones = (count: number) => `${count} ${count === 1 ? "zone" : "zones"}`;

/** Prints the zones that a set deletes or takes much from, also those of other pages. */
function printLosses({ largeLossCount, largeLosses }: Losses): void {
  const named = largeLosses.slice(0, pageSize);
  for (const { zone, isDeletion, ...loss } of named)
    console.log(`! ${isDeletion ? `${zone} is deleted with its ${loss.recordCount} records.` : lossText(zone, loss)}`);
  if (largeLossCount > named.length) console.log(`! ... and so on, in ${zones(largeLossCount - named.length)} more`);
}

export function printPreview(
  preview: Preview,
  { isColoured }: Terminal,
  { advice = allOfDraft, approving = draftToApprove, state = "DRAFT" }: Words = {},
): void {
  const { nodes, totalCount } = preview.zones;
  for (const zone of nodes) printZone(zone, isColoured);
  const shown = new Set(nodes.map(({ zone }) => zone));
  const others = preview.problems.nodes.filter(({ zone }) => !shown.has(zone));
  for (const { zone, ...obstacles } of others) {
    console.log(colouredLine(`+++ ${zone}`, isColoured));
    printObstacles(obstacles);
  }
  const leftOut = totalCount - nodes.length - others.length;
  if (leftOut > 0) console.log(`... and ${leftOut} more ${leftOut === 1 ? "zone" : "zones"}; ${advice}`);
  const { changedZoneCount, removedCount, addedCount, applicable } = preview;
  const [change, go, come] = hasChanged.has(state) ? ["were changed", "went", "came"] : ["change", "go", "come"];
  console.log(
    `${changedZoneCount} of ${totalCount} zones ${change}: ${removedCount} records ${go}, ${addedCount} ${come}.`,
  );
  printLosses(preview);
  const approvals = approvalsText(preview);
  if (isOver.has(state)) console.log(`The change set is ${state}.`);
  else if (!applicable)
    console.log(totalCount === 0 ? "Nothing is staged." : "It cannot be applied: see what is in its way.");
  else if (approvals !== undefined && isUnapproved.has(state))
    console.log(`No zone is changed before it has ${approvals}.${approving}`);
}

function printZone({ zone, action, removedCount, rrsets, ...shown }: ZonePreview, isColoured: boolean): void {
  const deleted = ` (deleted with ${removedCount} records)`;
  const what = { EDIT: "", CREATE: " (created)", DELETE: deleted, RESTORE: " (restored)" }[action];
  console.log(colouredLine(`+++ ${zone}${what}`, isColoured));
  printDifference(rrsets.nodes, isColoured);
  if (rrsets.totalCount > rrsets.nodes.length)
    console.log(`... and ${rrsets.totalCount - rrsets.nodes.length} more RRsets`);
  printObstacles(shown);
  for (const sentence of shown.dropped) console.log(`left out: ${sentence}`);
  for (const { message } of shown.notices) console.log(`warning: ${message}`);
}

function printObstacles({ conflicts, refusals }: Obstacles): void {
  for (const conflict of conflicts) printConflict(conflict);
  for (const { code, message } of refusals) console.log(`! ${code}: ${message}`);
}

function printConflict(conflict: ZonePreview["conflicts"][number]): void {
  const { message, owner, base, mine, theirs, change } = conflict;
  console.log(`! ${message}`);
  if (owner === null) return;
  console.log(`!   when staged: ${base.join("; ") || "nothing"}`);
  console.log(`!   this set:    ${mine.join("; ") || "nothing"}`);
  const by = change ? `, by ${change.actor}, ${change.createdAt}, serial ${change.serial}` : "";
  console.log(`!   now:         ${theirs.join("; ") || "nothing"}${by}`);
}
