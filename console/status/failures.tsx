/**
 * What failed last: signatures of name servers that were refused, and dynamic updates.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import page from "../parts/page.module.css";
import table from "../parts/table.module.css";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import type { RefusedUpdate, Secondary } from "./queries.ts";
import css from "./status.module.css";

interface Failure {
  readonly id: string;
  readonly at: string;
  readonly what: ReactNode;
  readonly why: string;
}

/** Failures that are shown. */
const mostFailures = 5;

const ofUpdate = ({ id, createdAt, zone, reason }: RefusedUpdate): Failure => ({
  id,
  at: createdAt,
  what: (
    <Link to="/refusals" search={{ zone }}>
      Update of {zone}
    </Link>
  ),
  why: reason,
});

const ofServer = ({ id, name, lastTsigError }: Secondary): readonly Failure[] =>
  lastTsigError
    ? [
        {
          id,
          at: lastTsigError.at,
          what: (
            <Link to="/servers/$server" params={{ server: id }}>
              Signature of {name}
            </Link>
          ),
          why: lastTsigError.message,
        },
      ]
    : [];

interface FailuresProps {
  readonly updates: readonly RefusedUpdate[];
  readonly servers: readonly Secondary[];
}

export function Failures({ updates, servers }: FailuresProps) {
  const failures = [...updates.map(ofUpdate), ...servers.flatMap(ofServer)]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, mostFailures);
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Last failures</h2>
      {failures.length === 0 ? (
        <p className={table.soft}>No dynamic update and no signature was refused.</p>
      ) : (
        <Table label="Last failures" headings={["What", "When", "Why"]}>
          {failures.map(({ id, at, what, why }) => (
            <tr key={id}>
              <td className={table.name}>{what}</td>
              <td className={table.nowrap}>
                <Ago time={at} />
              </td>
              <td className={table.wide}>{why}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
