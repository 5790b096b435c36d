/** The SOA serial of a zone that changes: how it is checked in an edited SOA, and how the next one is chosen. */
import { printRdata } from "../../dns/rdata/rdata.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { soaSerial, withSoaSerial } from "../../dns/rdata/soa.ts";
import { firstSerial, nextSerial, type Serial, serial, serialDistance, serialIsGreater } from "../../dns/serial.ts";
import { sameOctets } from "../../dns/wire.ts";
import { Refusal } from "../../errors.ts";
import { type Session, today } from "../../session/session.ts";
import { type CanonicalRecord, digestOf } from "./canonical-record.ts";

/** Whether a record is the SOA of its zone, whose serial never goes back. */
export const isApexSoa = ({ owner, type }: { readonly owner: string; readonly type: string }) =>
  owner === "@" && type === "SOA";

export function serialOf(soa: { readonly wire: Uint8Array }): Serial {
  return soaSerial(soa.wire);
}

export function withSerial<Soa extends Pick<CanonicalRecord, "wire" | "rdata" | "digest">>(
  soa: Soa,
  next: Serial,
): Soa {
  const wire = withSoaSerial(soa.wire, next);
  const type = recordType("SOA");
  return { ...soa, wire, rdata: printRdata(type, wire), digest: digestOf(type, wire) };
}

export const differsBesidesSerial = (a: SoaData, b: SoaData) =>
  a.ttl !== b.ttl || !sameOctets(withSoaSerial(a.wire, serialOf(b)), b.wire);

interface SoaData {
  readonly ttl: number;
  readonly wire: Uint8Array;
}

/** The record as it is stored: an SOA is stored with serial 0 (zone/soa-data.ts). */
export const asStored = <Stored extends Pick<CanonicalRecord, "type" | "wire" | "rdata" | "digest">>(record: Stored) =>
  record.type === "SOA" ? withSerial(record, serial(0)) : record;

/** The record as it is read: SQL has put the zone's serial into an SOA, so its digest is computed again. */
export const asRead = <Read extends Pick<CanonicalRecord, "type" | "wire" | "digest">>(record: Read): Read =>
  record.type === "SOA" ? { ...record, digest: digestOf(recordType("SOA"), record.wire) } : record;

/**
 * The condition on the serial of an edited SOA. `greater`: greater than the present serial (RFC 1982). `near`: greater, and at most
 * `maxLeap` ahead. `present`: no condition, since the edit does not send an SOA's data and the change chooses the serial.
 */
export type SerialDemand = "greater" | "near" | "present";

/** The greatest leap of a serial without confirmation: ten years of dated serials. */
export const maxLeap = 10_000_000;

/** Throws SERIAL_NOT_INCREASED or SERIAL_LEAP when the serial of an edited SOA does not meet its condition. */
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
      `The SOA serial would leap by ${leap}, from ${current} to ${next}: secondaries never go back, so this zone could no longer ` +
      `use serials made of dates. Write one at most ${maxLeap} ahead, or send force (REST: force=yes) if it is meant.`;
    throw new Refusal("SERIAL_LEAP", message, { field, details });
  }
}

interface SerialTerms {
  /** The serial of the zone, or the last one ever used under the name of a new zone, which secondaries may still remember. */
  readonly last: number | null | undefined;
  readonly requested: Serial | undefined;
}

/** The serial of a change: the requested serial if it is greater than the last one, otherwise the next (RFC 1982). */
export function serialOfChange(session: Session, { last, requested }: SerialTerms): Serial {
  const current = last === undefined || last === null ? undefined : serial(last);
  if (requested !== undefined && (current === undefined || serialIsGreater(requested, current))) return requested;
  return current === undefined ? firstSerial(today(session)) : nextSerial(current, today(session));
}
