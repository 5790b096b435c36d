/**
 * `resync --all`: after a restored backup, raises the serial of every zone that a secondary is ahead of, since a secondary accepts only
 * later serials (RFC 1982). What would be raised is shown first. It confirms what RESTORE_POLICY=confirm holds, too; the service then
 * raises by itself what is held at other serials.
 */
import type { Command } from "commander";
import { compareSerial, serial, serialDistance, serialIsGreater } from "../../dns/serial.ts";
import { callGraphql, type Endpoint, pagesOf, RefusedError } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { confirm } from "../terminal/confirmation.ts";
import { printList } from "../terminal/print.ts";
import { Progress } from "../terminal/progress.ts";

const publication = "publication { serial secondaries { name serial state } }";
export const beginningDocument = `{ secondaries(first: 1000) { nodes { id } } catalog { zone ${publication} }
  pendingRestore { pendingSince zoneCount secondaryNames } }`;
export const behindDocument = `query ($id: ID!, $after: String) { secondary(by: { id: $id }) { name
  behind(first: 200, after: $after) { nodes { zone ${publication} } pageInfo { hasNextPage endCursor } } } }`;
export const resyncDocument =
  "mutation ($input: ResyncDomainInput!) { resyncDomain(input: $input) { change { serial } } }";
export const confirmRestoreDocument =
  "mutation ($input: ConfirmRestoreInput!) { confirmRestore(input: $input) { confirmed { zoneCount } } }";

interface Published {
  readonly zone: string;
  readonly publication: {
    readonly serial: number;
    readonly secondaries: readonly {
      readonly name: string;
      readonly serial: number | null;
      readonly state: string;
    }[];
  };
}

interface Beginning {
  readonly secondaries: { readonly nodes: readonly { readonly id: string }[] };
  readonly catalog: Published | null;
  readonly pendingRestore: { readonly pendingSince: string; readonly zoneCount: number } | null;
}

/** A zone that a secondary serves at a later serial than ours, or half the circle away. */
interface Ahead {
  readonly zone: string;
  readonly serial: number;
  readonly served: number;
  /** By how many steps that is past ours. */
  readonly lead: number;
  readonly secondary: string;
}

interface Options {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function resyncCommand(program: Command, endpoint: () => Endpoint): void {
  program
    .command("resync")
    .description("after a restored backup: raise the serial of every zone that a secondary is ahead of")
    .requiredOption("--all", "of all zones")
    .option("--dry-run", "show them, and raise none")
    .option("--yes", "do not ask whether it is meant")
    .action((_options: unknown, command: Command) => resync(endpoint(), command.optsWithGlobals<Options>()));
}

async function resync(endpoint: Endpoint, { dryRun = false, yes = false, json = false }: Options): Promise<void> {
  const progress = new Progress();
  const beginning = await callGraphql<Beginning>(endpoint, beginningDocument, {});
  const ahead = await aheadOfUs(endpoint, beginning, progress);
  const { pendingRestore: restore } = beginning;
  const zones = [...new Set(ahead.map(({ zone }) => zone))];
  if (!json && zones.length > 0)
    printList(
      ahead.map((each) => ({ ...each })),
      columns,
    );
  if (zones.length === 0 && !restore) {
    process.exitCode = exitCodes.nothingToDo;
    return print(json, { ahead, raised: [] }, "No secondary is ahead of this service; nothing was changed.");
  }
  const held = restore ? [`RESTORE_POLICY holds back ${countOf(restore.zoneCount)}, which this publishes.`] : [];
  const raises = `This raises ${countOf(zones.length)}; what only the secondaries have of them is lost.`;
  const consequence = [raises, ...held].join(" ");
  if (dryRun) return print(json, { ahead, raised: [] }, `${consequence} Nothing was changed yet.`);
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  if (restore) await callGraphql(endpoint, confirmRestoreDocument, { input: { pendingSince: restore.pendingSince } });
  const raised = await raise(endpoint, zones, progress);
  const isBehind = ({ zone, serial: to }: Raised) =>
    ahead.some((each) => each.zone === zone && !serialIsGreater(serial(to), serial(each.served)));
  const behind = raised.filter(isBehind).length;
  const again = `${countOf(behind)} took a step towards a serial about half the circle away; run it again when the other secondaries have that.`;
  const done = `${countOf(raised.length)} raised; the secondaries transfer them whole.`;
  print(json, { ahead, raised }, behind > 0 ? `${done} ${again}` : done);
}

const columns = [
  ["zone", "zone"],
  ["our serial", "serial"],
  ["its serial", "served"],
  ["ahead by", "lead"],
  ["secondary", "secondary"],
] as const;

const countOf = (count: number) => (count === 1 ? "1 zone" : `${count} zones`);

/** What the secondaries serve that is ahead of us and not proven to be ours, as what a signer serves may be. */
async function aheadOfUs(
  endpoint: Endpoint,
  { secondaries, catalog }: Beginning,
  progress: Progress,
): Promise<Ahead[]> {
  const ahead = catalog ? servedAhead(catalog) : [];
  for (const { id } of secondaries.nodes) {
    for await (const { data, nodes } of pagesOf<Published>(endpoint, behindDocument, "secondary.behind", { id })) {
      const { name } = data.secondary as { readonly name: string };
      ahead.push(...nodes.flatMap((domain) => servedAhead(domain).filter(({ secondary }) => secondary === name)));
      progress.show(`comparing serials with ${name}: ${ahead.length} ahead`);
    }
  }
  progress.end();
  return ahead;
}

function servedAhead({ zone, publication: { serial: ours, secondaries } }: Published): Ahead[] {
  return secondaries.flatMap(({ name, serial: served, state }) => {
    if (served === null || state === "LIVE") return [];
    // Half the circle away has no order, and is past what the zone reaches.
    if ((compareSerial(serial(served), serial(ours)) ?? 1) !== 1) return [];
    const lead = serialDistance(serial(ours), serial(served));
    return [{ zone, serial: ours, served, lead, secondary: name }];
  });
}

interface Raised {
  readonly zone: string;
  readonly serial: number;
}

/** Raises the zones one after the other; one that is not there any more is left out. Throws when another was refused. */
async function raise(endpoint: Endpoint, zones: readonly string[], progress: Progress): Promise<Raised[]> {
  const raised: Raised[] = [];
  const refused: string[] = [];
  for (const [at, zone] of zones.entries()) {
    progress.show(`raising ${zone}`, at / zones.length);
    try {
      raised.push({ zone, serial: await raiseOne(endpoint, zone) });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.body.error !== "NOT_FOUND") refused.push(`${zone}: ${error.message}`);
    }
  }
  progress.end();
  if (refused.length === 0) return raised;
  throw new Error(
    [...refused, `${refused.length} of ${countOf(zones.length)} were not raised; run it again.`].join("\n"),
  );
}

async function raiseOne(endpoint: Endpoint, zone: string): Promise<number> {
  type Result = { readonly resyncDomain: { readonly change: { readonly serial: number } } };
  return (await callGraphql<Result>(endpoint, resyncDocument, { input: { by: { zone } } })).resyncDomain.change.serial;
}

function print(json: boolean, result: object, sentence: string): void {
  console.log(json ? JSON.stringify(result, null, 2) : sentence);
}
