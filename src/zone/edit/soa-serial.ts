/**
 * The serial in the SOA of a zone that changes: what it is, and what is demanded of one that an edit brings.
 */
import { printRdata } from "../../dns/rdata/rdata.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { soaSerial, withSoaSerial } from "../../dns/rdata/soa.ts";
import { firstSerial, nextSerial, type Serial, serial, serialDistance, serialIsGreater } from "../../dns/serial.ts";
import { sameOctets } from "../../dns/wire.ts";
import { Refusal } from "../../errors.ts";
import { type Session, today } from "../../session/session.ts";
import { type CanonicalRecord, digestOf } from "./canonical-record.ts";

/** The serial of an SOA record. */
export function serialOf(soa: { readonly wire: Uint8Array }): Serial {
  return soaSerial(soa.wire);
}

/** The same SOA with another serial. */
export function withSerial<Soa extends Pick<CanonicalRecord, "wire" | "rdata" | "digest">>(
  soa: Soa,
  next: Serial,
): Soa {
  const wire = withSoaSerial(soa.wire, next);
  const type = recordType("SOA");
  return { ...soa, wire, rdata: printRdata(type, wire), digest: digestOf(type, wire) };
}

/** Whether two SOAs differ in more than their serials. */
export const differsBesidesSerial = (a: SoaData, b: SoaData) =>
  a.ttl !== b.ttl || !sameOctets(withSoaSerial(a.wire, serialOf(b)), b.wire);

interface SoaData {
  readonly ttl: number;
  readonly wire: Uint8Array;
}

/** A record as its row holds it: an SOA with the serial 0 (zone/soa-data.ts). */
export const asStored = <Stored extends Pick<CanonicalRecord, "type" | "wire" | "rdata" | "digest">>(record: Stored) =>
  record.type === "SOA" ? withSerial(record, serial(0)) : record;

/** A record as it is read of its row, where SQL has put the serial into the data of an SOA: the digest is made that of the data. */
export const asRead = <Read extends Pick<CanonicalRecord, "type" | "wire" | "digest">>(record: Read): Read =>
  record.type === "SOA" ? { ...record, digest: digestOf(recordType("SOA"), record.wire) } : record;

/**
 * What is demanded of the serial of an edited SOA: that it is greater than the present one (RFC 1982), that it is also near, so that the
 * leap can be meant, or nothing, since the edit leaves the data and the change gives the serial.
 */
export type SerialDemand = "greater" | "near" | "present";

/** How far a serial may leap without a confirmation: ten years of dated serials. */
export const maxLeap = 10_000_000;

/** Refuses an SOA whose serial does not come after the current one (RFC 1982), or leaps where it must be near. */
export function checkSerial(current: Serial, next: Serial, demand: SerialDemand, field: string): void {
  if (demand === "present") return;
  const details = { serial: current };
  if (!serialIsGreater(next, current)) {
    const message = `The SOA serial is ${next}, which does not come after the zone's ${current} (RFC 1982); write a greater one.`;
    throw new Refusal("SERIAL_NOT_INCREASED", message, { field, details });
  }
  const leap = serialDistance(current, next);
  if (demand === "near" && leap > maxLeap) {
    const message =
      `The SOA serial would leap by ${leap}, from ${current} to ${next}: secondaries never go back, so that serials made of dates ` +
      `would be over for this zone. Write one at most ${maxLeap} ahead, or send force (REST: force=yes) if it is meant.`;
    throw new Refusal("SERIAL_LEAP", message, { field, details });
  }
}

/** What the serial of a change depends on. */
export interface SerialTerms {
  /** The serial of the zone, or the last one ever used under the name of a new zone, which secondaries may still remember. */
  readonly last: number | null | undefined;
  /** The serial that the edits ask for; undefined when they leave it to the service. */
  readonly requested: Serial | undefined;
}

/** The serial of a change: the one asked for when it comes after the last one, otherwise the next (RFC 1982). */
export function serialOfChange(session: Session, { last, requested }: SerialTerms): Serial {
  const current = last === undefined || last === null ? undefined : serial(last);
  if (requested !== undefined && (current === undefined || serialIsGreater(requested, current))) return requested;
  return current === undefined ? firstSerial(today(session)) : nextSerial(current, today(session));
}
