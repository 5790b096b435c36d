/**
 * Resync: corrects a secondary that is ahead of us, as after the database was restored from a backup. A secondary
 * accepts only newer serials (RFC 1982, RFC 1996 §4.7), so the zone's serial is raised past the one observed there.
 */
import { sql } from "kysely";
import { nextSerial, type Serial, serial, serialAfter, serialIsGreater } from "../dns/serial.ts";
import { connection, type Session, today } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { transaction } from "../sql/transaction.ts";
import { type DomainRow, domainByZone } from "../zone/domain.ts";
import { changeZone, type ZoneChange } from "../zone/edit/change-zone.ts";
import { readSoa, type StoredRecord } from "../zone/edit/stored-zone.ts";
import { Sighting } from "./secondary.ts";

/** Raises a zone's serial past every serial that is ahead at a secondary; by an ordinary step when none is. */
export async function resyncDomain(session: Session, zone: string): Promise<ZoneChange> {
  return transaction(session, async (inner) => {
    const domain = await domainByZone(inner, zone);
    const current = serial(domain.serial);
    const highest = (await serialsAhead(inner, domain)).reduce((a, b) => (serialIsGreater(b, a) ? b : a), current);
    const next = highest === current ? nextSerial(current, today(session)) : serialAfter(highest);
    const soa = (await readSoa(connection(inner), domain.id)) as StoredRecord;
    const rdata = soa.rdata.split(" ").with(2, String(next)).join(" ");
    return changeZone(inner, domain.zone, { update: [{ id: soa.id, rdata }] });
  });
}

const g = table(Sighting, "g");

async function serialsAhead(session: Session, domain: DomainRow): Promise<Serial[]> {
  const query = sql<{ serial: number }>`
    select ${g.serial} from ${g} where ${g.domainId} = ${domain.id} and ${g.serial} is not null and ${g.isAhead}`;
  return (await query.execute(connection(session))).rows.map((row) => serial(row.serial));
}
