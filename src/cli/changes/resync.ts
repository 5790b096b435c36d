/**
 * `resync --all`: after a restored backup, raises the serial of every zone that a secondary is ahead of, since a secondary accepts only
 * later serials (RFC 1982). It also confirms the publication that RESTORE_POLICY=confirm holds back.
 */
import { compareSerial, serial, serialDistance, serialIsGreater } from "../../dns/serial.ts";
import { type CommandRow, command, yesOption } from "../command-rows/command-row.ts";
import { callGraphql, type DataOf, type Endpoint, pageInfo, pagesOf, RefusedError } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { carryOut } from "../terminal/confirmation.ts";
import { columns, print, printList } from "../terminal/print.ts";
import { Progress } from "../terminal/progress.ts";

const publication = "publication { serial secondaries { name serial state } }";
export const beginningDocument = `{ secondaries(first: 1000) { nodes { id } } catalogs { zone ${publication} }
  pendingRestore { pendingSince zoneCount secondaryNames } }` as const;
export const behindDocument = `query ($id: ID!, $after: String) { secondary(by: { id: $id }) { name
  behind(first: 200, after: $after) { nodes { zone ${publication} } ${pageInfo} } } }` as const;
export const resyncDocument =
  "mutation ($input: ResyncDomainInput!) { resyncDomain(input: $input) { change { serial } } }";
export const confirmRestoreDocument =
  "mutation ($input: ConfirmRestoreInput!) { confirmRestore(input: $input) { confirmed { zoneCount } } }";

type Beginning = DataOf<typeof beginningDocument>;
type Published = NonNullable<Beginning["catalogs"]>[number];

/** A zone that a secondary serves at a later serial than ours, or half the circle away. */
type Ahead = ReturnType<typeof servedAhead>[number];

export const resyncRow: CommandRow = command({
  words: "resync",
  description: "after a restored backup: raise the serial of every zone that a secondary is ahead of",
  options: [
    ["--all", "of all zones", (option) => option.makeOptionMandatory()],
    ["--dry-run", "show them, and raise none"],
    yesOption,
  ],
  run: async ({ options }, { endpoint }) => {
    const { json } = options;
    const progress = new Progress();
    const beginning = await callGraphql(endpoint, beginningDocument, {});
    const ahead = await aheadOfUs(endpoint, beginning, progress);
    const { pendingRestore: restore } = beginning;
    const zones = [...new Set(ahead.map(({ zone }) => zone))];
    if (!json && zones.length > 0) printList(ahead, aheadColumns);
    const planned = { ahead, raised: [] };
    if (zones.length === 0 && !restore) {
      process.exitCode = exitCodes.nothingToDo;
      return print(json, planned, "No secondary is ahead of this service; nothing was changed.");
    }
    const held = restore ? ` RESTORE_POLICY holds back ${countOf(restore.zoneCount)}, which this publishes.` : "";
    const consequence = `This raises ${countOf(zones.length)}; what only the secondaries have of them is lost.${held}`;
    await carryOut(options, {
      planned,
      wouldDo: `${consequence} Nothing was changed yet.`,
      consequence,
      run: async () => {
        if (restore)
          await callGraphql(endpoint, confirmRestoreDocument, { input: { pendingSince: restore.pendingSince } });
        return { ahead, raised: await raise(endpoint, zones, progress) };
      },
      sentenceOf: raisedText,
    });
  },
});

function raisedText({ ahead, raised }: { readonly ahead: Ahead[]; readonly raised: Raised[] }): string {
  const done = `${countOf(raised.length)} raised; the secondaries transfer them whole.`;
  const isBehind = ({ zone, serial: to }: Raised) =>
    ahead.some((each) => each.zone === zone && !serialIsGreater(serial(to), serial(each.served)));
  const behind = raised.filter(isBehind).length;
  if (behind === 0) return done;
  return `${done} ${countOf(behind)} took a step towards a serial about half the circle away; run it again when the other secondaries have that.`;
}

const aheadColumns = columns("zone, our serial: serial, its serial: served, ahead by: lead, secondary");

const countOf = (count: number) => (count === 1 ? "1 zone" : `${count} zones`);

/** The zones that a secondary serves at a later serial. A LIVE one is not among them: its serial may be that of a signer. */
async function aheadOfUs(endpoint: Endpoint, beginning: Beginning, progress: Progress): Promise<Ahead[]> {
  const { secondaries, catalogs } = beginning;
  const ahead = (catalogs ?? []).flatMap(servedAhead);
  for (const { id } of secondaries.nodes) {
    const pages = pagesOf(endpoint, behindDocument, ({ secondary }) => secondary.behind, { id });
    for await (const { data, nodes } of pages) {
      const { name } = data.secondary;
      ahead.push(...nodes.flatMap((domain) => servedAhead(domain).filter(({ secondary }) => secondary === name)));
      progress.show(`comparing serials with ${name}: ${ahead.length} ahead`);
    }
  }
  progress.end();
  return ahead;
}

function servedAhead({ zone, publication: { serial: ours, secondaries } }: Published) {
  return secondaries.flatMap(({ name, serial: served, state }) => {
    if (served === null || state === "LIVE") return [];
    // Serials half the circle apart have no order (RFC 1982 §3.2), and count as ahead.
    if ((compareSerial(serial(served), serial(ours)) ?? 1) !== 1) return [];
    const lead = serialDistance(serial(ours), serial(served));
    return [{ zone, serial: ours, served, lead, secondary: name }];
  });
}

interface Raised {
  readonly zone: string;
  readonly serial: number;
}

/**
 * Raises the serials of the zones one by one and skips zones that no longer exist. Continues after a refused zone, and throws at the end if
 * any was refused.
 */
async function raise(endpoint: Endpoint, zones: readonly string[], progress: Progress): Promise<Raised[]> {
  const raised: Raised[] = [];
  const refused: string[] = [];
  for (const [at, zone] of zones.entries()) {
    progress.show(`raising ${zone}`, at / zones.length);
    try {
      const { resyncDomain } = await callGraphql(endpoint, resyncDocument, { input: { by: { zone } } });
      raised.push({ zone, serial: resyncDomain.change.serial });
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
