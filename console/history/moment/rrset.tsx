/**
 * The life of one RRset: every version of its records, from which change until which.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { More } from "../../parts/page/more.tsx";
import { Named } from "../../parts/page/named.tsx";
import { Empty, Loading } from "../../parts/page/page.tsx";
import { Refusal } from "../../parts/page/refusal.tsx";
import table from "../../parts/page/table.module.css";
import { Table } from "../../parts/page/table.tsx";
import { Blame } from "./blame.tsx";
import css from "./moment.module.css";
import type { Past } from "./moment.ts";
import { type RrsetVersion, versionsOptions } from "./queries.ts";

const route = getRouteApi("/shell/zones/$zone/rrset");

export function Rrset() {
  const { zone } = route.useParams();
  const { owner = "@", type = "SOA" } = route.useSearch();
  return (
    <Versions past={{ zone }} owner={owner} type={type}>
      <Link to="/zones/$zone/history" params={{ zone }} search={{ owner, type }}>
        Its changes
      </Link>
    </Versions>
  );
}

interface VersionsProps {
  readonly past: Past;
  readonly owner: string;
  readonly type: string;
  /** What is beside the heading. */
  readonly children?: React.ReactNode;
}

export function Versions({ past, owner, type, children }: VersionsProps) {
  const query = useInfiniteQuery(versionsOptions(past, owner, type));
  const versions = query.data?.pages.flatMap(({ nodes }) => nodes) ?? [];
  const isPresent = "zone" in past;
  return (
    <>
      <div className={css.asOf}>
        <h2>
          Every version of{" "}
          <code>
            <Named text={owner} /> {type}
          </code>
        </h2>
        {children}
      </div>
      {query.error && <Refusal error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {query.data && versions.length === 0 && (
        <Empty title="There never was such a record">Or it was before what the journal keeps.</Empty>
      )}
      {versions.length > 0 && (
        <Table
          label="Versions"
          headings={["Data", "#TTL", "From", "Until"]}
          foot={<More query={query} what="versions" />}
        >
          {versions.map((version) => (
            <Version
              key={`${version.recordId} ${version.from?.id}`}
              version={version}
              untilNow={isPresent ? "now" : "the deletion"}
            />
          ))}
        </Table>
      )}
    </>
  );
}

interface VersionProps {
  readonly version: RrsetVersion;
  /** What is said of one that no change of a record has ended. */
  readonly untilNow: string;
}

function Version({ version: { ttl, rdata, from, until }, untilNow }: VersionProps) {
  return (
    <tr className={until ? undefined : css.fresh}>
      <td className={`${table.mono} ${table.wide}`}>
        <Named text={rdata} />
      </td>
      <td className={`${table.mono} ${table.number}`} data-label="ttl">
        {ttl}
      </td>
      <td className={table.nowrap} data-label="from">
        <Blame change={from} />
      </td>
      <td className={table.nowrap} data-label="until">
        {until ? <Blame change={until} /> : untilNow}
      </td>
    </tr>
  );
}
