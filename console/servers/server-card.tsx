/** A name server as a card: whether it is late or joining, why and what to do about it, and what was observed of it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { attentionOptions, type Cause } from "../attention/attention.tsx";
import { buttonClass } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Fact } from "../parts/page/page.tsx";
import { bytesText, counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { StateShape } from "../parts/zone/state.tsx";
import { type ListedSecondary, observedMs } from "./queries.ts";
import css from "./servers.module.css";

/** How long a server may join without another zone before it counts as stopped, ms. */
const stoppedMs = 300_000;

/** The zones that are late at each server, by its id. */
export function useLate(): ReadonlyMap<string, Cause> {
  const { data = [] } = useQuery(attentionOptions);
  return new Map(data.flatMap((cause) => (cause.secondary ? [[cause.secondary.id, cause] as const] : [])));
}

interface ServerCardProps {
  readonly secondary: ListedSecondary;
  readonly late: Cause | undefined;
  /** Whether it is on the server's own page, which has its name above and its zones below. */
  readonly isOnPage?: boolean;
  readonly isOpen?: boolean;
}

export function ServerCard({ secondary, late, isOnPage = false, isOpen = false }: ServerCardProps) {
  const { readOnly } = useViewer();
  const { id, name, joinedAt, progress, tsigKey, notify, lastNotify, lastQuery } = secondary;
  const hasStopped = !joinedAt && Date.now() - Date.parse(progress?.lastAt ?? secondary.createdAt) > stoppedMs;
  const isLate = joinedAt !== null && late !== undefined;
  const isWrong = isLate || hasStopped;
  const [cause, fix] = causeOf(secondary);
  const params = { server: id };
  return (
    <article className={`${look.card} ${look.stack} ${css.card} ${isWrong ? css.late : ""}`} aria-label={name}>
      <header className={look.line}>
        {!isOnPage && (
          <h2>
            <Link to="/servers/$server" params={params} className={look.plain}>
              {name}
            </Link>
          </h2>
        )}
        {isLate && <Late of={late} total={progress?.total} />}
        {!joinedAt && <Joining secondary={secondary} hasStopped={hasStopped} />}
        {joinedAt && !isLate && <Served secondary={secondary} />}
        <Marks secondary={secondary} />
        {!readOnly && !isOpen && (
          <Link
            to="/servers/$server"
            params={params}
            search={{ software: "KNOT" }}
            className={`${buttonClass()} ${look.end}`}
          >
            Show configuration
          </Link>
        )}
      </header>
      {isWrong && (
        <div className={look.message}>
          <p>
            <b>{cause}</b> {fix}
          </p>
          {isLate && !isOnPage && <Behind secondary={secondary} />}
        </div>
      )}
      {isOnPage && <Behind secondary={secondary} isWhole />}
      {!joinedAt && (
        <p className={look.soft}>Changes do not wait for it until it has every zone. It counts from then on.</p>
      )}
      <dl className={css.facts}>
        <Fact name="Address">
          <code>{addressOf(secondary)}</code>
        </Fact>
        <Fact name={isLate ? "Last good transfer" : "Last transfer"}>
          <TransferText transfer={secondary.lastTransfer} isWhole />
        </Fact>
        <Fact name="NOTIFY">
          {notify && lastNotify ? (
            <Answer at={lastNotify.at} fine={isFine(lastNotify.message) && "accepted"} text={lastNotify.message} />
          ) : (
            <span className={look.soft}>{notify ? "not sent yet" : "off"}</span>
          )}
        </Fact>
        <Fact name="Key">{tsigKey ? <code>{tsigKey.name}</code> : <span className={look.soft}>{noKey}</span>}</Fact>
        {isOnPage && (
          <Fact name="Last answer">
            {lastQuery ? (
              <Answer at={lastQuery.at} fine={lastQuery.succeeded && "answered"} text={lastQuery.answer} />
            ) : (
              <span className={look.soft}>not asked yet</span>
            )}
          </Fact>
        )}
      </dl>
    </article>
  );
}

function Late({ of: { count, at }, total = count }: { readonly of: Cause; readonly total: number | undefined }) {
  return (
    <>
      <span className={look.warn}>
        <StateShape state="LATE" /> late on {count.toLocaleString()} of {counted(total, "zone")}
      </span>
      {at && (
        <span className={look.faint}>
          since <Ago time={at} isShort />
        </span>
      )}
    </>
  );
}

interface OfSecondary {
  readonly secondary: ListedSecondary;
}

/** How far it has come, and how long it needs at the pace that it has had. */
function Joining({ secondary: { name, progress }, hasStopped }: OfSecondary & { readonly hasStopped: boolean }) {
  const { served = 0, total = 0, firstAt } = progress ?? {};
  const restMs = firstAt && ((total - served) * (Date.now() - Date.parse(firstAt))) / served;
  return (
    <>
      <span className={hasStopped ? look.warn : look.soft}>
        <StateShape state={hasStopped ? "LATE" : "PENDING"} /> {hasStopped ? "joining has stopped" : "joining"}:{" "}
        {served.toLocaleString()} of {counted(total, "zone")}
      </span>
      <progress aria-label={`Zones that ${name} has`} value={served} max={Math.max(total, 1)} />
      {restMs && served > 1 && !hasStopped && <span className={look.faint}>{aboutText(restMs)}</span>}
    </>
  );
}

/** A time that is left, in ms, as people say it. */
function aboutText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 60 ? `about ${minutes} min` : `about ${Math.round(minutes / 60).toLocaleString()} h`;
}

/** On how many zones it is as committed, of a server that has joined. */
export function Served({ secondary: { progress } }: OfSecondary) {
  if (!progress) return null;
  const { served, total } = progress;
  return (
    <span className={look.faint}>
      {served < total && <StateShape state="PENDING" />} {served.toLocaleString()} of {counted(total, "zone")}
    </span>
  );
}

/** In what it differs from most servers. */
export function Marks({ secondary: { requiredForLive, indirect } }: OfSecondary) {
  const marks = [...(requiredForLive ? [] : ["not required"]), ...(indirect ? ["indirect"] : [])];
  return marks.map((mark) => (
    <span key={mark} className={look.faint}>
      {" "}
      {mark}
    </span>
  ));
}

const reload = "Copy the configuration to the server, then reload it.";

/** What keeps a server from the zones, and what to do about it. */
function causeOf({ tsigKey, notify, ...observed }: ListedSecondary): readonly [string, string] {
  const { address, port, lastTsigError, lastTransfer, lastQuery, lastNotify } = observed;
  if (tsigKey?.revokedAt) return [`Its key ${tsigKey.name} is revoked.`, "Give the server another key."];
  if (lastTsigError && !(lastTransfer && lastTransfer.at > lastTsigError.at))
    return [`TSIG is refused: ${lastTsigError.message}.`, reload];
  if (lastQuery && !lastQuery.succeeded)
    return [
      `It does not answer as it should: ${lastQuery.answer || "no answer"}.`,
      `See that it runs, and that this service reaches it at port ${port} of ${address}.`,
    ];
  if (notify && lastNotify && !isFine(lastNotify.message))
    return [`It does not take NOTIFY: ${lastNotify.message || "no answer"}.`, reload];
  if (!lastTransfer) return ["It has not transferred a zone yet.", reload];
  return ["It answers, and does not transfer.", "Its log says why; its configuration may miss the zones."];
}

/** Whether an answer to NOTIFY says that all is well. */
const isFine = (answer: string) => /^(\d+|NOERROR)$/.test(answer);

const behindQuery = graphql(`
  query Behind($id: ID!) {
    secondary(by: { id: $id }) {
      behind(first: 20) {
        totalCount
        nodes {
          id zone zoneUnicode serial
          publication { secondaries { serial lastError name } }
        }
      }
    }
  }
`);

/** Zones that a card names in the list of servers. */
const mostZones = 4;

/** The zones that it does not serve as they are committed, with what it serves; as a whole, with what it answered. */
function Behind({ secondary: { id, name }, isWhole = false }: OfSecondary & { readonly isWhole?: boolean }) {
  const { data } = useQuery({
    queryKey: ["behind", id],
    queryFn: async ({ signal }) => (await run(behindQuery, { id }, signal)).secondary?.behind,
    refetchInterval: observedMs,
  });
  const zones = (data?.nodes ?? []).slice(0, isWhole ? undefined : mostZones);
  const more = (data?.totalCount ?? 0) - zones.length;
  if (zones.length === 0) return null;
  return (
    <ul className={isWhole ? undefined : look.line} aria-label={`Zones that ${name} does not serve as committed`}>
      {zones.map(({ id: zoneId, zone, zoneUnicode, serial: committed, publication }) => {
        const { serial, lastError } = publication?.secondaries?.find((each) => each.name === name) ?? {};
        return (
          <li key={zoneId}>
            <Link to="/zones/$zone/servers" params={{ zone }} className={look.target}>
              {zoneUnicode}
            </Link>{" "}
            {serial ? "at " : "not served"}
            {serial && <code>{serial}</code>}
            {isWhole && ", committed "}
            {isWhole && <code>{committed}</code>}
            {isWhole && lastError && `: ${lastError}`}
          </li>
        );
      })}
      {more > 0 && <li>and {more.toLocaleString()} more</li>}
    </ul>
  );
}

export const addressOf = ({ address, port }: ListedSecondary) =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

export const noKey = "none, by its address";

interface AnswerProps {
  readonly at: string;
  /** The words for an answer that says that all is well. */
  readonly fine: string | false;
  readonly text: string;
}

/** What it answered last, and when. */
const Answer = ({ at, fine, text }: AnswerProps) => (
  <span className={fine ? undefined : look.warn}>
    {fine || text || "no answer"}, <Ago time={at} />
  </span>
);

interface TransferTextProps {
  readonly transfer: ListedSecondary["lastTransfer"];
  /** Whether its size is said, in place of its zone. */
  readonly isWhole?: boolean;
}

/** The last transfer: how much of a zone, how long it took, and when. */
export function TransferText({ transfer, isWhole = false }: TransferTextProps) {
  if (!transfer) return <span className={look.soft}>none yet</span>;
  const { at, zone, kind, bytes, durationMs } = transfer;
  return (
    <>
      {kind}
      {isWhole ? bytes !== null && `, ${bytesText(bytes)}` : ` ${zone}`}, {durationMs} ms, <Ago time={at} />
    </>
  );
}
