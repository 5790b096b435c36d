/**
 * The processes of the service on its database, and which of them leads.
 */
import page from "../parts/page.module.css";
import table from "../parts/table.module.css";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import type { Instance } from "./queries.ts";
import css from "./status.module.css";

export function Instances({ instances }: { readonly instances: readonly Instance[] }) {
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Instances</h2>
      <Table label="Instances" headings={["Instance", "State", "Version", "Started", "Seen"]}>
        {instances.map((instance) => (
          <tr key={`${instance.host} ${instance.pid} ${instance.startedAt}`}>
            <td className={table.name}>
              {instance.host} <span className={table.soft}>process {instance.pid}</span>
            </td>
            <td>
              <InstanceState instance={instance} />
            </td>
            <td>{instance.version}</td>
            <td data-label="started">
              <Ago time={instance.startedAt} />
            </td>
            <td data-label="seen">
              <Ago time={instance.seenAt} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function InstanceState({ instance: { isAlive, isLeader } }: { readonly instance: Instance }) {
  if (!isAlive) return <span className={css.trouble}>gone</span>;
  if (!isLeader)
    return <span title="It answers requests; the instance that leads publishes to the name servers">runs</span>;
  return (
    <span className={css.fine} title="It publishes to the name servers">
      leads
    </span>
  );
}
