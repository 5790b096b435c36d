/**
 * Compares the copy of a zone at a secondary with what is committed, record by record: transfers it from there and
 * compares digests (zone-content.ts).
 */

import type { Serial } from "../dns/serial.ts";
import type { Served } from "../secondary/proof.ts";
import type { Target } from "../secondary/sighting.ts";
import { ContentReader, differenceOf, serialOfCopy, type ZoneContent } from "../secondary/zone-content.ts";
import { TransferRefused, type TransferSource, transferZone } from "./zone-transfer.ts";

/**
 * The result of a comparison with what is committed at the serial `committed`. `refused`: the secondary lets us
 * transfer nothing; `failed`: nothing is known, and why.
 */
export type ContentComparison =
  | { readonly kind: "equal"; readonly served: Served; readonly committed: Serial }
  | { readonly kind: "different"; readonly served: Served; readonly committed: Serial; readonly message: string }
  | { readonly kind: "refused" | "failed"; readonly message: string };

/** Reads what is committed; undefined when the domain is deleted. */
export type ReadCommitted = (domainId: number) => Promise<(ZoneContent & { readonly serial: Serial }) | undefined>;

/** Compares the copy of a zone at a secondary. */
export async function compareContent(
  secondary: TransferSource,
  { zone, domainId }: Target,
  readCommitted: ReadCommitted,
  signal: AbortSignal,
): Promise<ContentComparison> {
  const reader = new ContentReader(zone);
  try {
    await transferZone(secondary, zone, (record) => reader.add(record), signal);
    const [copy, ours] = [reader.content, await readCommitted(domainId)];
    if (!copy || !ours) return { kind: "failed", message: "the zone was deleted meanwhile" };
    const served = { serial: serialOfCopy(copy), isSigned: reader.isSigned };
    const difference = differenceOf(copy, ours);
    if (served.serial !== ours.serial && !served.isSigned)
      return { kind: "failed", message: `it has serial ${served.serial}, we are at ${ours.serial} meanwhile` };
    if (difference === undefined) return { kind: "equal", served, committed: ours.serial };
    return { kind: "different", served, committed: ours.serial, message: difference };
  } catch (error) {
    const reason = `its copy cannot be compared with ours: ${(error as Error).message}`;
    if (!(error instanceof TransferRefused)) return { kind: "failed", message: reason };
    return { kind: "refused", message: `${reason}; let this service transfer its zones` };
  }
}
