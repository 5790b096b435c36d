/**
 * A name server as a card: whether it is late or joining, why and what to do about it, and what was observed of it.
 */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { attentionOptions, type Cause } from "../attention/queries.ts";
import { buttonClass } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Fact } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { StateShape } from "../parts/zone/state.tsx";
import { behindOptions, type ListedSecondary } from "./queries.ts";
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
  /** Whether its configuration is shown. */
  readonly isOpen?: boolean;
}

export function ServerCard({ secondary, late, isOnPage = false, isOpen = false }: ServerCardProps) {
  const { readOnly } = useViewer();
  const { id, name, joinedAt, progress, lastTransfer, requiredForLive, indirect } = secondary;
  const hasStopped = !joinedAt && Date.now() - Date.parse(progress?.lastAt ?? secondary.createdAt) > stoppedMs;
  const isLate = joinedAt !== null && late !== undefined;
  return (
    <article
      className={`${look.card} ${look.stack} ${css.card} ${isLate || hasStopped ? css.late : ""}`}
      aria-label={name}
    >
      <header className={look.line}>
        {!isOnPage && (
          <h2>
            <Link to="/servers/$server" params={{ server: id }} className={look.plain}>
              {name}
            </Link>
          </h2>
        )}
        {isLate && (
          <>
            <span className={look.warn}>
              <StateShape state="LATE" /> late on {late.count.toLocaleString()} of{" "}
              {counted(progress?.total ?? late.count, "zone")}
            </span>
            {late.at && (
              <span className={look.faint}>
                since <Ago time={late.at} isShort />
              </span>
            )}
          </>
        )}
        {!joinedAt && <Joining secondary={secondary} hasStopped={hasStopped} />}
        {joinedAt && !isLate && <Served secondary={secondary} />}
        {!requiredForLive && <span className={look.faint}>not required</span>}
        {indirect && <span className={look.faint}>indirect</span>}
        {!readOnly && !isOpen && (
          <Link
            to="/servers/$server"
            params={{ server: id }}
            search={{ software: "KNOT" }}
            className={`${buttonClass()} ${look.end}`}
          >
            Show configuration
          </Link>
        )}
      </header>
      {(isLate || hasStopped) && (
        <div className={look.message}>
          <Why secondary={secondary} />
          {isLate && !isOnPage && <Behind secondary={secondary} />}
        </div>
      )}
      {isOnPage && <Behind secondary={secondary} isWhole />}
      {!joinedAt && (
        <p className={look.soft}>Changes do not wait for it until it has every zone. It counts from then on.</p>
      )}
      <dl className={css.facts}>
        <Fact name="Address">
          <Address secondary={secondary} />
        </Fact>
        <Fact name={isLate ? "Last good transfer" : "Last transfer"}>
          <TransferText transfer={lastTransfer} isWhole />
        </Fact>
        <Fact name="NOTIFY">
          <NotifyText secondary={secondary} />
        </Fact>
        <Fact name="Key">
          <KeyText secondary={secondary} />
        </Fact>
        {isOnPage && (
          <Fact name="Last answer">
            <AnswerText secondary={secondary} />
          </Fact>
        )}
      </dl>
    </article>
  );
}

interface OfSecondary {
  readonly secondary: ListedSecondary;
}

interface JoiningProps extends OfSecondary {
  readonly hasStopped: boolean;
}

/** How far it has come, and how long it needs at the pace that it has had. */
function Joining({ secondary: { name, progress }, hasStopped }: JoiningProps) {
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

/** What keeps a server from the zones, and what to do about it. */
function Why({ secondary }: OfSecondary) {
  const [cause, fix] = causeOf(secondary);
  return (
    <p>
      <b>{cause}</b> {fix}
    </p>
  );
}

function causeOf({ address, port, tsigKey, ...observed }: ListedSecondary): readonly [string, string] {
  const { lastTsigError, lastTransfer, lastQuery, lastNotify, notify } = observed;
  if (tsigKey?.revokedAt) return [`Its key ${tsigKey.name} is revoked.`, "Give the server another key."];
  if (lastTsigError && !(lastTransfer && lastTransfer.at > lastTsigError.at))
    return [`TSIG is refused: ${lastTsigError.message}.`, "Copy the configuration to the server, then reload it."];
  if (lastQuery && !lastQuery.succeeded)
    return [
      `It does not answer as it should: ${lastQuery.answer || "no answer"}.`,
      `See that it runs, and that this service reaches it at port ${port} of ${address}.`,
    ];
  if (notify && lastNotify && !isFine(lastNotify.message))
    return [
      `It does not take NOTIFY: ${lastNotify.message || "no answer"}.`,
      "Copy the configuration to the server, then reload it.",
    ];
  if (!lastTransfer)
    return ["It has not transferred a zone yet.", "Copy the configuration to the server, then reload it."];
  return ["It answers, and does not transfer.", "Its log says why; its configuration may miss the zones."];
}

/** Whether an answer to NOTIFY says that all is well. */
const isFine = (answer: string) => /^(\d+|NOERROR)$/.test(answer);

/** Zones that a card names in the list of servers. */
const mostZones = 4;

/** The zones that it does not serve as they are committed, with what it serves; as a whole, with what it answered. */
function Behind({ secondary: { id, name }, isWhole = false }: OfSecondary & { readonly isWhole?: boolean }) {
  const { data } = useQuery(behindOptions(id));
  const zones = (data?.nodes ?? []).slice(0, isWhole ? undefined : mostZones);
  const more = (data?.totalCount ?? 0) - zones.length;
  if (zones.length === 0) return null;
  return (
    <ul className={isWhole ? undefined : look.line} aria-label={`Zones that ${name} does not serve as committed`}>
      {zones.map(({ id: zoneId, zone, zoneUnicode, serial: committed, publication }) => {
        const { serial, lastError } = publication?.secondaries?.find((each) => each.name === name) ?? {};
        return (
          <li key={zoneId}>
            <Link to="/zones/$zone/servers" params={{ zone }}>
              {zoneUnicode}
            </Link>{" "}
            {serial ? (
              <>
                at <code>{serial}</code>
              </>
            ) : (
              "not served"
            )}
            {isWhole && (
              <>
                , committed <code>{committed}</code>
                {lastError && `: ${lastError}`}
              </>
            )}
          </li>
        );
      })}
      {more > 0 && <li>and {more.toLocaleString()} more</li>}
    </ul>
  );
}

export const Address = ({ secondary: { address, port } }: OfSecondary) => (
  <code>{address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`}</code>
);

export const KeyText = ({ secondary: { tsigKey } }: OfSecondary) =>
  tsigKey ? <code>{tsigKey.name}</code> : <span className={look.soft}>none, by its address</span>;

function AnswerText({ secondary: { lastQuery } }: OfSecondary) {
  if (!lastQuery) return <span className={look.soft}>not asked yet</span>;
  return (
    <span className={lastQuery.succeeded ? undefined : look.warn}>
      {lastQuery.succeeded ? "answered" : lastQuery.answer || "no answer"}, <Ago time={lastQuery.at} />
    </span>
  );
}

function NotifyText({ secondary: { notify, lastNotify } }: OfSecondary) {
  if (!notify) return <span className={look.soft}>off</span>;
  if (!lastNotify) return <span className={look.soft}>not sent yet</span>;
  return (
    <span className={isFine(lastNotify.message) ? undefined : look.warn}>
      {isFine(lastNotify.message) ? "accepted" : lastNotify.message || "no answer"}, <Ago time={lastNotify.at} />
    </span>
  );
}

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

/** A size as people read it. */
function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(1)} KB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
