/**
 * The serial that a change gives to its zone (RFC 1982).
 */

import { firstSerial, nextSerial, type Serial, serial, serialIsGreater } from "../../dns/serial.ts";
import { type Session, today } from "../../session/session.ts";
import type { StoredDomain } from "../domain.ts";
import { serialOf } from "./soa-serial.ts";
import type { WorkingRecord } from "./working-copy.ts";

/** What the serial of a change depends on. */
export interface SerialTerms {
  readonly domain: StoredDomain;
  /** The apex SOA as it is stored; undefined while the zone is being created. */
  readonly storedSoa: WorkingRecord | undefined;
  /** The last serial ever used under the name of a zone that is being created, which secondaries may still remember. */
  readonly lastSerial: number | undefined;
  /** The serial that the edits ask for; undefined when they leave it to the service. */
  readonly requestedSerial: Serial | undefined;
}

/** The serial of a change: the one asked for when it comes after the present or last one, otherwise the next (RFC 1982). */
export function serialOfChange(session: Session, { storedSoa, lastSerial, requestedSerial }: SerialTerms): Serial {
  const last = storedSoa ? serialOf(storedSoa) : lastSerial;
  const current = last === undefined ? undefined : serial(last);
  const isNewer = current === undefined || (requestedSerial !== undefined && serialIsGreater(requestedSerial, current));
  if (requestedSerial !== undefined && isNewer) return requestedSerial;
  return current === undefined ? firstSerial(today(session)) : nextSerial(current, today(session));
}
