/**
 * A zone in memory that takes the input of `changeRecords` by the service's own code, for tests of what a sheet shows and sends.
 */

import { Records } from "../../../../console/sheet/records/records.ts";
import type { StoredRow } from "../../../../console/sheet/records/row.ts";
import type { ChangeInput } from "../../../../console/sheet/records/sheet-service.ts";
import { defaultTtl } from "../../../../src/session/operator-policy.ts";
import { parseRecord } from "../../../../src/zone/edit/canonical-record.ts";
import { WorkingCopy, type WorkingRecord } from "../../../../src/zone/edit/working-copy.ts";
import { policy } from "../../../setup/zones/session.ts";

export const zone = "example.com";

/** The TTL of a record that is added without one. */
export const modelTtl = defaultTtl(policy);

type Fields = Omit<StoredRow, "id" | "ttl"> & { readonly ttl?: number | undefined };

export class ModelZone {
  serial = 0;
  #records: readonly WorkingRecord[] = [];
  #nextId = 100;

  constructor(rows: readonly Omit<StoredRow, "id">[]) {
    this.apply({ zone, expectedSerial: 0, remove: [], update: [], add: rows });
  }

  get rows(): StoredRow[] {
    return this.#records.map(({ id, owner, type, ttl, rdata }) => ({ id: String(id), owner, type, ttl, rdata }));
  }

  /** Applies an input as the service does, all or nothing; throws a Refusal. */
  apply({ expectedSerial, remove, update, add }: ChangeInput): void {
    if (expectedSerial !== this.serial) throw new Error("STALE_SERIAL");
    const copy = new WorkingCopy(this.#records);
    const parse = (fields: Fields, path: string) => parseRecord(fields, zone, policy, path);
    for (const [at, id] of remove.entries()) copy.remove(Number(id), `remove.${at}`);
    copy.expectUpdates(update.map(({ id }) => Number(id)));
    for (const [at, { id, ...edit }] of update.entries()) {
      const old = this.#records.find((record) => record.id === Number(id));
      if (!old) throw new Error(`update.${at}.id: no record ${id}`);
      const owner = old.owner === "@" ? "@" : `${old.owner}.${zone}.`;
      const fields = { owner, type: old.type, rdata: old.rdata, ...edit, ttl: edit.ttl };
      const demand = edit.rdata === undefined ? "present" : "near";
      copy.update(Number(id), parse(fields, `update.${at}.`), `update.${at}.`, demand);
    }
    for (const [at, fields] of add.entries()) copy.add(parse(fields, `add.${at}.`), modelTtl, `add.${at}.`);
    copy.settleTtls();
    const { added, removed } = copy.difference();
    const gone = new Set(removed);
    const numbered = added.map((record) => ({ ...record, id: record.id ?? this.#nextId++ }));
    this.#records = [...this.#records.filter((record) => !gone.has(record)), ...numbered];
    this.serial++;
  }

  /** The records as a page knows them after it read the zone. */
  read(): Records {
    const records = new Records(zone);
    records.replaceAll(this.rows);
    records.serial = this.serial;
    records.isComplete = true;
    return records;
  }

  /** Reads owners again, as a page does when somebody else changed the zone. */
  readOwners(records: Records, owners: ReadonlySet<string>): void {
    records.replaceOwners(
      owners,
      this.rows.filter(({ owner }) => owners.has(owner)),
    );
    records.serial = this.serial;
  }
}

/** What a row is, without its id. */
export const contentOf = (row: { owner: string; type: string; ttl: number; rdata: string }): string =>
  `${row.owner} ${row.ttl} ${row.type} ${row.rdata}`;
