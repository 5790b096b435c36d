/**
 * The dynamic updates that were refused: when, in what zone, by whom, and why; a row opens to what was asked.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import type { RefusalListQuery } from "../api/generated/graphql.ts";
import { paged } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { Button } from "../parts/control/button.tsx";
import { useWritten } from "../parts/control/use-debounced.ts";
import listed from "../parts/page/entries.module.css";
import { Lines } from "../parts/page/lines.tsx";
import { Listed } from "../parts/page/list.tsx";
import { More } from "../parts/page/more.tsx";
import page from "../parts/page/page.module.css";
import { Bar, Empty, Fact, Filter } from "../parts/page/page.tsx";
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

const route = getRouteApi("/shell/activity");

export function Refusals() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ofZone = (zone: string | undefined) => void navigate({ search: { kind: "refused", zone }, replace: true });
  const { text, settled: zone, write } = useWritten(search.zone, ofZone);
  const list = useInfiniteQuery({
    queryKey: ["refusals", zone],
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      (await run(refusalList, { filter: zone === "" ? null : { zone }, after: pageParam }, signal)).updateRefusals,
    placeholderData: keepPreviousData,
    refetchInterval: lookMs,
  });
  return (
    <>
      <Bar>
        <Filter label="Of one zone" value={text} onChange={write} />
      </Bar>
      <Listed
        query={list}
        empty={
          <Empty
            title="No dynamic update was refused"
            action={text.trim() !== "" && <Button onClick={() => write("")}>Clear filter</Button>}
          >
            When a client sends one that is refused, its reason is here, with what it asked.
          </Empty>
        }
      >
        {(rows) => (
          <>
            <p aria-hidden="true" className={`${listed.summary} ${listed.heads} ${css.summary} ${table.soft}`}>
              <span>Zone</span>
              <span>Answer</span>
              <span>Why</span>
              <span>When</span>
            </p>
            <ul className={page.list}>
              {rows.map((refusal) => (
                <Item key={refusal.id} refusal={refusal} />
              ))}
            </ul>
            <More query={list} what="refusals" />
          </>
        )}
      </Listed>
    </>
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
            <Fact name="key">
              {keyName ? <code>{`${keyName}${keyAlgorithm ? ` ${keyAlgorithm}` : ""}`}</code> : "not signed"}
            </Fact>
            <Fact name="client">
              <span className={table.mono}>
                {address} {protocol}
              </span>
            </Fact>
            <Fact name="code">
              <code>{code}</code>
            </Fact>
            {domain && (
              <Fact name="zone">
                <Link to="/zones/$zone" params={{ zone: domain.zone }}>
                  {domain.zoneUnicode}
                </Link>
              </Fact>
            )}
          </dl>
          <Lines label="What was asked" text={requestLines.join("\n")} />
        </div>
      </details>
    </li>
  );
}
