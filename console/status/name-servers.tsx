/**
 * The name servers: what each answered last, and how many zones it serves.
 */
import { Link } from "@tanstack/react-router";
import { buttonClass } from "../parts/button.tsx";
import page from "../parts/page.module.css";
import { Empty } from "../parts/page.tsx";
import table from "../parts/table.module.css";
import { Table } from "../parts/table.tsx";
import { AnswerText, ZonesText } from "../servers/servers.tsx";
import type { Secondary } from "./queries.ts";
import css from "./status.module.css";

export function NameServers({ servers }: { readonly servers: readonly Secondary[] }) {
  if (servers.length === 0)
    return (
      <section className={`${page.panel} ${css.part}`}>
        <h2>Name servers</h2>
        <Empty
          title="No name server follows yet"
          action={
            <Link to="/servers" className={buttonClass()}>
              To the servers
            </Link>
          }
        >
          Every zone is unserved until one is added.
        </Empty>
      </section>
    );
  return (
    <section className={`${page.panel} ${css.part}`}>
      <h2>Name servers</h2>
      <Table label="Name servers" headings={["Server", "Address", "Last answer", "Serves"]}>
        {servers.map((server) => (
          <tr key={server.id}>
            <td className={table.name}>
              <Link to="/servers/$server" params={{ server: server.id }}>
                {server.name}
              </Link>
            </td>
            <td className={`${table.mono} ${table.nowrap}`}>
              {server.address} {server.port}
            </td>
            <td className={table.nowrap} data-label="last answer">
              <AnswerText secondary={server} />
            </td>
            <td className={table.nowrap} data-label="serves">
              <ZonesText secondary={server} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
