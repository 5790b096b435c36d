/**
 * Compares a secondary's copy of a zone with ours by digest (secondary/zone-content.ts). Our zone's size limits the transfer of the copy.
 */
import type { ResourceRecord } from "../../dns/message/message-reader.ts";
import type { Serial } from "../../dns/serial.ts";
import type { Served } from "../../secondary/proof.ts";
import type { Target } from "../../secondary/sighting.ts";
import { type CommittedContent, ContentReader, differenceOf } from "../../secondary/zone-content.ts";
import { TransferRefused, type TransferSource, transferZone } from "./zone-transfer.ts";

/** `refused`: the secondary refuses us the transfer, perhaps temporarily (`mayPass`). `failed`: the comparison shows nothing. */
export type ContentComparison =
  | { readonly kind: "equal"; readonly served: Served; readonly committed: Serial }
  | { readonly kind: "different"; readonly served: Served; readonly committed: Serial; readonly message: string }
  | { readonly kind: "refused"; readonly mayPass: boolean; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** Reads our committed content, or its serial alone; undefined when the domain is deleted. */
export interface Committed {
  content(domainId: number): Promise<CommittedContent | undefined>;
  serial(domainId: number): Promise<Serial | undefined>;
}

/** The limits of a transfer: octets, octets for each record, milliseconds, milliseconds for each record. */
const leastOctets = 2 ** 22;
const octetsOfRecord = 4096;
const leastMs = 60_000;
const msOfRecord = 1;

/** Reads our content when the transfer begins, and the copy until it has more records than ours. */
export async function compareContent(
  secondary: TransferSource,
  { zone, domainId }: Target,
  committed: Committed,
  signal: AbortSignal,
): Promise<ContentComparison> {
  const reader = new ContentReader(zone);
  const begin = async () => {
    const ours = await committed.content(domainId);
    if (!ours) throw new Error("the zone was deleted meanwhile");
    const { records } = ours;
    const onRecord = (record: ResourceRecord) => {
      reader.add(record);
      return reader.records <= records || !isComparable(reader.served, ours.serial);
    };
    const octets = leastOctets + ours.octets + records * octetsOfRecord;
    return { ours, octets, ms: leastMs + records * msOfRecord, onRecord };
  };
  try {
    const before = await committed.serial(domainId);
    const { ours } = await transferZone(secondary, zone, begin, signal);
    const { content: copy, served } = reader;
    if (!copy || !served) throw new Error("its transfer has no SOA");
    if (!isComparable(served, ours.serial))
      return { kind: "failed", message: `it has serial ${served.serial}, we are at ${ours.serial} meanwhile` };
    const message = differenceOf(copy, ours);
    if (message === undefined) return { kind: "equal", served, committed: ours.serial };
    // A change of ours that was committed during the comparison may be in only one of the two.
    if (before !== ours.serial || (await committed.serial(domainId)) !== ours.serial)
      return { kind: "failed", message: "our zone changed meanwhile" };
    return { kind: "different", served, committed: ours.serial, message };
  } catch (error) {
    const reason = `its copy cannot be compared with ours: ${(error as Error).message}`;
    if (!(error instanceof TransferRefused)) return { kind: "failed", message: reason };
    return { kind: "refused", mayPass: error.mayPass, message: `${reason}; let this service transfer its zones` };
  }
}

/** Whether the copy must equal ours: a signed copy always; an unsigned one only at our serial. */
const isComparable = (served: Served | undefined, committed: Serial) =>
  served?.isSigned || served?.serial === committed;
