/**
 * The records that a zone had at a moment, each with the change that had made it so.
 */

import { Link } from "@tanstack/react-router";
import { Named } from "../parts/named.tsx";
import table from "../parts/table.module.css";
import { exactText } from "../parts/time.tsx";
import { Blame } from "./blame.tsx";
import type { Past } from "./moment.ts";
import css from "./past.module.css";
import { RrsetLink } from "./places.tsx";
import type { PastRecord } from "./queries.ts";

interface PastRecordsProps {
  readonly past: Past;
  readonly records: readonly PastRecord[];
  /** The id of the change that made the moment: its own records are marked. */
  readonly changeId: string | undefined;
}

export function PastRecords({ past, records, changeId }: PastRecordsProps) {
  return (
    <table className={table.table} aria-label="Records">
      <thead>
        <tr>
          <th scope="col">Owner</th>
          <th scope="col">Type</th>
          <th scope="col" className={table.number}>
            TTL
          </th>
          <th scope="col">Data</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.recordId} className={record.blame?.id === changeId ? css.fresh : undefined}>
            <td className={`${table.mono} ${table.wide}`}>
              <RrsetLink past={past} rrset={record}>
                <span title={`All versions of ${record.owner} ${record.type}`}>
                  <Named text={record.owner} />
                </span>
              </RrsetLink>
            </td>
            <td className={table.mono}>{record.type}</td>
            <td className={`${table.mono} ${table.number}`}>{record.ttl}</td>
            <td className={`${table.mono} ${table.wide}`}>
              <Named text={record.rdata} />
            </td>
            <td className={table.nowrap}>
              <Blame change={record.blame} />
              {record.restoredBy && (
                <Link
                  to="/history/$change"
                  params={{ change: record.restoredBy.id }}
                  title={`It came back when the deleted zone was restored, ${exactText(record.restoredBy.createdAt)}`}
                >
                  {" "}
                  restored
                </Link>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
