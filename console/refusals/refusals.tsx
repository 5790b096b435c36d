/**
 * The dynamic updates that were refused: when, in what zone, by whom, and why; a row opens to what was asked.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { RefusalListQuery } from "../api/generated/graphql.ts";
import { paged } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { Button } from "../parts/control/button.tsx";
import { useDebounced } from "../parts/control/use-debounced.ts";
import listed from "../parts/page/entries.module.css";
import { Lines } from "../parts/page/lines.tsx";
import { More } from "../parts/page/more.tsx";
import page from "../parts/page/page.module.css";
import { Bar, Empty, Filter, Loading, Page } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import css from "./refusals.module.css";

const refusalList = graphql(`
  query RefusalList($filter: UpdateRefusalFilter, $after: String) {
    updateRefusals(filter: $filter, first: 50, after: $after) {
      nodes {
        id createdAt zone code rcode reason address protocol keyName keyAlgorithm requestLines
        domain { id zone zoneUnicode }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type ListedRefusal = NonNullable<RefusalListQuery["updateRefusals"]>["nodes"][number];

/** How often new ones are looked for while the list is shown, ms. */
const lookMs = 10_000;

const route = getRouteApi("/shell/refusals");

export function Refusals() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(search.zone ?? "");
  const zone = useDebounced(text.trim());
  const list = useInfiniteQuery({
    queryKey: ["refusals", zone],
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      (await run(refusalList, { filter: zone === "" ? null : { zone }, after: pageParam }, signal)).updateRefusals,
    placeholderData: keepPreviousData,
    refetchInterval: lookMs,
  });
  const rows = list.data?.pages.flatMap((page) => page?.nodes ?? []) ?? [];
  const filter = (value: string) => {
    setText(value);
    void navigate({ search: value.trim() === "" ? {} : { zone: value.trim() }, replace: true });
  };
  return (
    <Page title="Refused updates">
      <Bar>
        <Filter label="Of one zone" value={text} onChange={filter} />
      </Bar>
      {list.error && <Refusal error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && !list.error && <Loading />}
      {list.data && rows.length === 0 && !list.error && (
        <Empty
          title="No dynamic update was refused"
          action={text.trim() !== "" && <Button onClick={() => filter("")}>Clear the filter</Button>}
        >
          When a client sends one that is refused, its reason is here, with what it asked.
        </Empty>
      )}
      {rows.length > 0 && (
        <p aria-hidden="true" className={`${listed.summary} ${listed.heads} ${css.summary} ${table.soft}`}>
          <span>Zone</span>
          <span>Answer</span>
          <span>Why</span>
          <span>When</span>
        </p>
      )}
      {rows.length > 0 && (
        <ul className={page.list}>
          {rows.map((refusal) => (
            <Item key={refusal.id} refusal={refusal} />
          ))}
        </ul>
      )}
      {rows.length > 0 && <More query={list} what="refusals" />}
    </Page>
  );
}

function Item({ refusal }: { readonly refusal: ListedRefusal }) {
  const { createdAt, zone, domain, keyName, keyAlgorithm, address, protocol, rcode, code, reason, requestLines } =
    refusal;
  return (
    <li>
      <details>
        <summary className={`${listed.summary} ${css.summary}`}>
          <span className={css.zone}>{domain?.zoneUnicode ?? zone}</span>
          <code className={css.rcode}>{rcode}</code>
          <span className={css.reason}>{reason}</span>
          <span className={css.when}>
            <Ago time={createdAt} />
          </span>
        </summary>
        <div className={css.body}>
          <dl className={page.facts}>
            <div>
              <dt>key</dt>
              <dd>{keyName ? <code>{`${keyName}${keyAlgorithm ? ` ${keyAlgorithm}` : ""}`}</code> : "not signed"}</dd>
            </div>
            <div>
              <dt>client</dt>
              <dd className={table.mono}>
                {address} {protocol}
              </dd>
            </div>
            <div>
              <dt>code</dt>
              <dd>
                <code>{code}</code>
              </dd>
            </div>
            {domain && (
              <div>
                <dt>zone</dt>
                <dd>
                  <Link to="/zones/$zone" params={{ zone: domain.zone }}>
                    {domain.zoneUnicode}
                  </Link>
                </dd>
              </div>
            )}
          </dl>
          <Lines label="What was asked" text={requestLines.join("\n")} />
        </div>
      </details>
    </li>
  );
}
