/** The difference that a master file would make to an existing zone, record by record, for a change set. Nothing is stored. */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { rolledBack } from "../../session/transaction.ts";
import { noSuchZone, type StoredDomain } from "../domain.ts";
import { expectSerial } from "../edit/edit-plan.ts";
import { differsBesidesSerial } from "../edit/soa-serial.ts";
import { lockDomain, readSoa } from "../edit/stored-zone.ts";
import { chooseSoa } from "./import.ts";
import { stageMasterFile } from "./stage.ts";
import { countDifference, differenceLines, type FileLine, type ImportMode, stageDifference } from "./staging-sql.ts";

export interface ZoneFile {
  readonly text: string;
  readonly mode: ImportMode;
  readonly skipUnsupported?: boolean;
  readonly expectedSerial?: number | null | undefined;
}

const maxLines = 100_000;

/** Compares a file with a zone, given by its canonical name; `read` receives the difference while the zone is locked. */
export function compareFile<Result>(
  session: Session,
  zone: string,
  { text, mode, skipUnsupported, expectedSerial }: ZoneFile,
  read: (inner: Session, domain: StoredDomain, lines: readonly FileLine[]) => Promise<Result>,
): Promise<Result> {
  return rolledBack(session, async (inner) => {
    const file = await stageMasterFile(inner, zone, [text], session.policy, { mode, skipUnsupported });
    const domain = await lockDomain(inner, session.actor, zone);
    if (!domain) throw noSuchZone(zone);
    expectSerial(domain, expectedSerial);
    const stored = await readSoa(inner, domain.id);
    const soa = chooseSoa(inner, domain, mode, file, stored);
    await stageDifference(inner, domain.id, mode);
    const { removed, added } = await countDifference(inner);
    if (removed + added > maxLines) {
      const message = `text would change more than ${maxLines} records of ${zone}; import it with importZone.`;
      throw new Refusal("TOO_LARGE", message, { field: "text" });
    }
    const isSoaOther = stored !== undefined && differsBesidesSerial(stored, soa);
    const soaLines = isSoaOther
      ? [
          { ...stored, removed: true },
          { ...soa, id: stored.id, removed: false },
        ]
      : [];
    return read(inner, domain, [...soaLines, ...(await differenceLines(inner))]);
  });
}
