/**
 * The first of the zones that are late: since when, and where.
 */
import { Link } from "@tanstack/react-router";
import page from "../parts/page.module.css";
import table from "../parts/table.module.css";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import type { LateZone } from "./queries.ts";
import css from "./status.module.css";

export function LateZones({ zones }: { readonly zones: readonly LateZone[] }) {
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Late zones</h2>
      {zones.length === 0 ? (
        <p className={table.soft}>No zone is late.</p>
      ) : (
        <Table label="Late zones" headings={["Zone", "Since", "Where"]}>
          {zones.map((zone) => (
            <tr key={zone.id}>
              <td className={table.name}>
                <Link to="/zones/$zone/servers" params={{ zone: zone.zone }}>
                  {zone.zoneUnicode}
                </Link>
              </td>
              <td className={table.nowrap} data-label="since">
                {zone.publication && <Ago time={zone.publication.since} />}
              </td>
              <td className={table.wide}>{whereText(zone)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The servers that do not have it, each with what it answered. */
function whereText({ publication }: LateZone): string {
  return (publication?.secondaries ?? [])
    .filter(({ state }) => state === "LATE")
    .map(({ name, lastError }) => (lastError ? `${name}: ${lastError}` : name))
    .join("; ");
}
