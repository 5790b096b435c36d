/**
 * All versions of the records of one RRset, each with the changes that began and ended it.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { List } from "../../parts/page/list.tsx";
import { Named } from "../../parts/page/named.tsx";
import { Empty } from "../../parts/page/page.tsx";
import table from "../../parts/page/table.module.css";
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
      <List
        query={query}
        what="versions"
        label="Versions"
        headings={["Data", "#TTL", "From", "Until"]}
        empty={<Empty title="There never was such a record">Or it was before what the journal keeps.</Empty>}
        row={(version) => (
          <Version
            key={`${version.recordId} ${version.from?.id}`}
            version={version}
            untilNow={isPresent ? "now" : "the deletion"}
          />
        )}
      />
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
