/**
 * The name servers: what each answered last, and on how many zones it is behind.
 */
import { Link } from "@tanstack/react-router";
import { buttonClass } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import page from "../parts/page.module.css";
import { Empty } from "../parts/page.tsx";
import table from "../parts/table.module.css";
import { Table } from "../parts/table.tsx";
import { AnswerText } from "../servers/servers.tsx";
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
      <Table label="Name servers" headings={["Server", "Address", "Last answer", "Behind"]}>
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
            <td data-label="behind">
              <BehindText count={server.behind?.totalCount} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function BehindText({ count }: { readonly count: number | null | undefined }) {
  if (count === null || count === undefined) return "–";
  if (count === 0) return <span className={table.soft}>on no zone</span>;
  return <span className={css.trouble}>on {counted(count, "zone")}</span>;
}
