/**
 * A zone at a moment, read only: its records, each with the change that made it so, and the steps to other moments.
 */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Refused } from "../../api/refused.ts";
import { exportUrl } from "../../api/zone.ts";
import { announce } from "../../parts/control/announce.tsx";
import { Button, buttonClass } from "../../parts/control/button.tsx";
import hidden from "../../parts/control/hidden.module.css";
import { Icon } from "../../parts/control/icon.tsx";
import { useWritten } from "../../parts/control/use-debounced.ts";
import { More } from "../../parts/page/more.tsx";
import { Named } from "../../parts/page/named.tsx";
import page from "../../parts/page/page.module.css";
import { Bar, Empty, Loading } from "../../parts/page/page.tsx";
import { Refusal } from "../../parts/page/refusal.tsx";
import table from "../../parts/page/table.module.css";
import { Table } from "../../parts/page/table.tsx";
import { authorName, fullAuthor, throughText } from "../../parts/text/author.ts";
import { counted } from "../../parts/text/counted.ts";
import { Ago, Exact, exactText } from "../../parts/text/time.tsx";
import { RecordFilters } from "../../parts/zone/record-filters.tsx";
import { Blame } from "./blame.tsx";
import css from "./moment.module.css";
import { type Author, type Past, placeOf, readMoment } from "./moment.ts";
import { MomentList, type Moments } from "./moment-list.tsx";
import { MomentLink, RrsetLink } from "./places.tsx";
import { momentOptions, type PastFilter, type PastRecord } from "./queries.ts";
import { Stepper } from "./stepper.tsx";

interface PastZoneProps {
  readonly past: Past;
  readonly zone: string;
  /** The moment, as the address names it. */
  readonly moment: string;
  readonly filter: PastFilter;
  readonly moments: Moments;
  readonly onMoment: (moment: string) => void;
  readonly onFilter: (filter: PastFilter) => void;
  /** What can be done with the moment, with the change that made it and whether it is the last. */
  readonly actions?: (change: Author, isLast: boolean) => ReactNode;
}

export function PastZone(props: PastZoneProps) {
  const { past, moment, moments, onMoment } = props;
  const wanted = readMoment(moment);
  const choose = (changed: PastFilter) => props.onFilter({ ...props.filter, ...changed });
  const owner = useWritten(props.filter.owner, (text) => choose({ owner: text }));
  const data = useWritten(props.filter.data, (text) => choose({ data: text }));
  const { type } = props.filter;
  const filter = { owner: owner.settled || undefined, type, data: data.settled || undefined };
  const query = useInfiniteQuery({
    ...momentOptions(past, moment, filter),
    placeholderData: keepPreviousData,
    enabled: wanted !== undefined,
  });
  const [first] = query.data?.pages ?? [];
  const answered = query.isPlaceholderData ? undefined : first?.change;
  const at = placeOf(moments.changes, answered ? { changeId: answered.id } : wanted);
  const [dragged, setDragged] = useState<number>();
  const shown = dragged ?? at;
  const change = dragged === undefined && answered ? answered : moments.changes[shown ?? -1];
  const records = query.data?.pages.flatMap((page) => page.records?.nodes ?? []) ?? [];
  const total = first?.records?.totalCount;

  // The list is read as far as it has the moment that is shown.
  const isListed = answered === undefined || at !== undefined;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = moments;
  useEffect(() => {
    if (!isListed && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isListed, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const sentence = answered && `As of ${answered.serial}, ${exactText(answered.createdAt)}`;
  useEffect(() => {
    if (sentence) announce(sentence);
  }, [sentence]);

  const clear = () => {
    owner.empty();
    data.empty();
    props.onFilter({});
  };
  if (!wanted)
    return (
      <Empty title="This is no moment">
        Write a serial, the id of a change, or a time such as 2030-01-31T12:00:00Z.
      </Empty>
    );
  return (
    <>
      <section className={css.moment} aria-label="Moment">
        {change ? (
          <AsOf
            {...props}
            change={change}
            at={shown}
            ended={shown === undefined ? first?.endedBy : moments.changes[shown - 1]}
          />
        ) : (
          <h2>As of {wanted.serial ?? (wanted.time ? exactText(wanted.time) : wanted.changeId)}</h2>
        )}
        <Stepper changes={moments.changes} at={at} dragged={dragged} onDrag={setDragged} onMoment={onMoment} />
      </section>
      <div className={css.columns}>
        <div className={css.records}>
          <Bar>
            <RecordFilters owner={owner.text} onOwner={owner.write} type={type} onChange={choose} />
            <label className={page.named}>
              <span>Data</span>
              <input
                type="search"
                placeholder="a part of it"
                value={data.text}
                spellCheck={false}
                onChange={(event) => data.write(event.target.value)}
              />
            </label>
            {total != null && <span className={table.soft}>{counted(total, "record")}</span>}
          </Bar>
          {query.error && <NoMoment error={query.error} onMoment={onMoment} />}
          {query.isPending && !query.error && <Loading />}
          {query.data && records.length === 0 && !query.error && (
            <Empty title="No record matches" action={<Button onClick={clear}>Clear filter</Button>} />
          )}
          {records.length > 0 && (
            <Table
              label="Records"
              headings={["Owner", "Type", "#TTL", "Data", "Since"]}
              isBusy={query.isPlaceholderData || dragged !== undefined}
              foot={<More query={query} what="records" />}
            >
              {records.map((record) => (
                <RecordRow key={record.recordId} past={past} record={record} isOwn={record.blame?.id === change?.id} />
              ))}
            </Table>
          )}
        </div>
        {moments.changes.length > 1 && <MomentList past={past} moments={moments} at={shown} filter={props.filter} />}
      </div>
    </>
  );
}

interface AsOfProps extends PastZoneProps {
  readonly change: Author;
  readonly at: number | undefined;
  /** The change that ended the moment. */
  readonly ended: Author | null | undefined;
}

/** Which moment it is, since when and until when, and what can be done with it. */
function AsOf({ past, zone, moment, filter, change, at, ended, actions }: AsOfProps) {
  const { id, serial, createdAt, note } = change;
  const { time } = readMoment(moment) ?? {};
  return (
    <div className={css.asOf}>
      <div>
        <h2>
          As of {time && <>{exactText(time)}: </>}
          <code>{serial}</code>
        </h2>
        <p>
          <Exact time={createdAt} />{" "}
          <span className={table.soft}>
            (<Ago time={createdAt} />)
          </span>
          ,{" "}
          <Link to="/changes/$change" params={{ change: id }} title={fullAuthor(change)}>
            by {authorName(change)}, {throughText(change)}
          </Link>
          {note && <>: {note}</>}
        </p>
        <p className={table.soft}>
          {ended ? (
            <>
              It was so until{" "}
              <MomentLink past={past} moment={String(ended.serial)} filter={filter} isHere={false}>
                {ended.serial}
              </MomentLink>
              , <Exact time={ended.createdAt} />.
            </>
          ) : (
            at === 0 && ("zone" in past ? "It is so now." : "So it was when it was deleted.")
          )}
        </p>
      </div>
      <div className={css.actions}>
        <a
          href={`${exportUrl(zone)}?at=${id}${"deleted" in past ? `&id=${past.deleted}` : ""}`}
          download={`${zone}-${serial}.zone`}
          className={buttonClass()}
        >
          <Icon name="download" />
          <span>
            Export<span className={hidden.word}> this moment</span>
          </span>
        </a>
        {actions?.(change, at === 0)}
      </div>
    </div>
  );
}

/** Why there is no such moment, and the way to the first one. */
function NoMoment({ error, onMoment }: { readonly error: Error } & Pick<PastZoneProps, "onMoment">) {
  const serial = error instanceof Refused ? error.body.details?.firstSerial : undefined;
  return (
    <>
      <Refusal error={error} />
      {typeof serial === "number" && (
        <p>
          <Button onClick={() => onMoment(String(serial))}>To the first moment, {serial}</Button>
        </p>
      )}
    </>
  );
}

interface RecordRowProps {
  readonly past: Past;
  readonly record: PastRecord;
  /** Whether the change that made the moment made the record: it is marked. */
  readonly isOwn: boolean;
}

/** A record of the zone at a moment, with the change that made it so. */
function RecordRow({ past, record, isOwn }: RecordRowProps) {
  return (
    <tr className={isOwn ? css.fresh : undefined}>
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
            to="/changes/$change"
            params={{ change: record.restoredBy.id }}
            title={`It came back when the deleted zone was restored, ${exactText(record.restoredBy.createdAt)}`}
          >
            {" "}
            restored
          </Link>
        )}
      </td>
    </tr>
  );
}
