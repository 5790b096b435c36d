/**
 * The serial that a change gives to its zone (RFC 1982).
 */
import { firstSerial, nextSerial, type Serial, serial, serialIsGreater } from "../../dns/serial.ts";
import { connection, type Session, today } from "../../session/session.ts";
import type { DomainRow } from "../domain.ts";
import { lastSerialOfName } from "./stored-zone.ts";
import { serialOf, type WorkingRecord } from "./working-copy.ts";

/** What the serial of a change depends on. */
export interface SerialTerms {
  /** The domain, locked. */
  readonly domain: DomainRow;
  /** The apex SOA as it is stored; undefined while the zone is being created. */
  readonly storedSoa: WorkingRecord | undefined;
  /** The serial that the edits ask for; undefined when they leave it to the service. */
  readonly requestedSerial: Serial | undefined;
}

/**
 * The serial of a change: the one asked for when it comes after the present one, otherwise the next (RFC 1982). A zone that is being
 * created continues after the last serial ever used under its name, which secondaries may still remember.
 */
export async function serialOfChange(
  session: Session,
  { domain, storedSoa, requestedSerial }: SerialTerms,
): Promise<Serial> {
  const last = storedSoa ? serialOf(storedSoa) : await lastSerialOfName(connection(session), domain.zone);
  const current = last === undefined ? undefined : serial(last);
  const isNewer = current === undefined || (requestedSerial !== undefined && serialIsGreater(requestedSerial, current));
  if (requestedSerial !== undefined && isNewer) return requestedSerial;
  return current === undefined ? firstSerial(today(session)) : nextSerial(current, today(session));
}
