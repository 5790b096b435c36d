/**
 * Compares the copy of a zone at a secondary with what is committed, record by record: transfers it from there and
 * compares digests (zone-content.ts). What we have bounds what is read of a copy, so that none without an end is read
 * for ever.
 */

import type { ResourceRecord } from "../dns/message/message-reader.ts";
import type { Serial } from "../dns/serial.ts";
import type { Served } from "../secondary/proof.ts";
import type { Target } from "../secondary/sighting.ts";
import {
  type CommittedContent,
  ContentReader,
  differenceOf,
  serialOfCopy,
  type ZoneContent,
} from "../secondary/zone-content.ts";
import { TransferRefused, type TransferSource, transferZone } from "./zone-transfer.ts";

/**
 * The result of a comparison with what is committed at the serial `committed`. `refused`: the secondary lets us
 * transfer nothing, which may pass; `failed`: nothing is known, and why.
 */
export type ContentComparison =
  | { readonly kind: "equal"; readonly served: Served; readonly committed: Serial }
  | { readonly kind: "different"; readonly served: Served; readonly committed: Serial; readonly message: string }
  | { readonly kind: "refused"; readonly mayPass: boolean; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** Reads what is committed, and its serial alone; undefined when the domain is deleted. */
export interface Committed {
  content(domainId: number): Promise<CommittedContent | undefined>;
  serial(domainId: number): Promise<Serial | undefined>;
}

/** What a transfer of our zone takes at most, whoever signs it: octets, also for each record, and milliseconds. */
const leastOctets = 2 ** 22;
const octetsOfRecord = 4096;
const leastMs = 60_000;
const msOfRecord = 1;

/** Compares the copy of a zone at a secondary. It is read until it has more records than ours, which are read once it transfers. */
export async function compareContent(
  secondary: TransferSource,
  { zone, domainId }: Target,
  committed: Committed,
  signal: AbortSignal,
): Promise<ContentComparison> {
  const reader = new ContentReader(zone);
  try {
    let content: CommittedContent | undefined;
    const served = (): Served => ({ serial: serialOfCopy(reader.content as ZoneContent), isSigned: reader.isSigned });
    const begin = async () => {
      content = await committed.content(domainId);
      if (!content) throw new Error("the zone was deleted meanwhile");
      const { records, octets, serial } = content;
      const onRecord = (record: ResourceRecord) => {
        reader.add(record);
        return reader.records <= records || !isComparable(served(), serial);
      };
      return {
        ...{ octets: leastOctets + octets + records * octetsOfRecord, ms: leastMs + records * msOfRecord },
        onRecord,
      };
    };
    const before = await committed.serial(domainId);
    await transferZone(secondary, zone, begin, signal);
    const ours = content as unknown as CommittedContent;
    const copy = served();
    if (!isComparable(copy, ours.serial))
      return { kind: "failed", message: `it has serial ${copy.serial}, we are at ${ours.serial} meanwhile` };
    const message = differenceOf(reader.content as ZoneContent, ours);
    if (message === undefined) return { kind: "equal", served: copy, committed: ours.serial };
    // A change of ours that was committed meanwhile may be in one of them alone.
    if (before !== ours.serial || (await committed.serial(domainId)) !== ours.serial)
      return { kind: "failed", message: "our zone changed meanwhile" };
    return { kind: "different", served: copy, committed: ours.serial, message };
  } catch (error) {
    const reason = `its copy cannot be compared with ours: ${(error as Error).message}`;
    if (!(error instanceof TransferRefused)) return { kind: "failed", message: reason };
    return { kind: "refused", mayPass: error.mayPass, message: `${reason}; let this service transfer its zones` };
  }
}

/** Whether a copy is to be as ours is; an unsigned one with another serial is of another moment. */
const isComparable = ({ serial, isSigned }: Served, committed: Serial) => isSigned || serial === committed;
