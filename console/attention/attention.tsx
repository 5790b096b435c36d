/** What needs somebody now, the most urgent first, each line with where to go. A line goes when its cause does. */
import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { graphql } from "../api/generated/gql.ts";
import type { AttentionQuery } from "../api/generated/graphql.ts";
import { readOptions } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { buttonClass, Icon } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { keyName } from "../parts/text/author.ts";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";
import { StateShape } from "../parts/zone/state.tsx";
import { useStagedZones } from "../sheet/draft/staged-zones.tsx";
import css from "./attention.module.css";

interface Line {
  readonly id: string;
  /** Late or doubtful, refused, a review, or the viewer's own edits. */
  readonly shape: "LATE" | "REFUSED" | "REVIEW" | "EDITS";
  readonly what: string;
  readonly why?: string | undefined;
  readonly at?: string | null;
  readonly action: string;
  readonly link: LinkProps;
}

const tones = { LATE: look.warn, REFUSED: look.del, REVIEW: look.accent, EDITS: look.accent };

const mostLines = 5;

const are = (count: number) => (count === 1 ? "is" : "are");

/** The line of a cause; none of a held catalog, which a bar over every page is about. */
function lineOf({ kind, count, at, secondary, changeSet, refusal, apiKey }: Cause): Line | undefined {
  if (secondary) {
    const why = secondary.lastTsigError?.message ?? (secondary.lastQuery?.succeeded ? "" : secondary.lastQuery?.answer);
    const link: LinkProps = { to: "/servers/$server", params: { server: secondary.id } };
    const what = `${counted(count, "zone")} ${are(count)} late at ${secondary.name}`;
    return { id: secondary.id, shape: "LATE", what, why, at, action: "Open server", link };
  }
  if (kind === "LATE_ZONES") {
    const link: LinkProps = { to: "/zones", search: { state: "LATE" } };
    return { id: kind, shape: "LATE", what: `${count} of your zones ${are(count)} late`, at, action: "Show", link };
  }
  if (changeSet) {
    const link: LinkProps = { to: "/changes/$change", params: { change: changeSet.id } };
    const what = `“${changeSet.title}” needs your review`;
    return { id: changeSet.id, shape: "REVIEW", what, why: keyName(changeSet.author), at, action: "Review", link };
  }
  if (refusal) {
    const link: LinkProps = { to: "/activity", search: { kind: "refused", zone: refusal.zone } };
    const what = `${refusal.keyName ?? "An update without a key"} was refused ${count} times`;
    const why = `update of ${unicodeText(refusal.zone)}: ${refusal.reason}`;
    return { id: refusal.id, shape: "REFUSED", what, why, at, action: "See why", link };
  }
  if (apiKey) {
    const what = `Your key ${apiKey.name} ends soon`;
    return { id: apiKey.id, shape: "LATE", what, at, action: "Open keys", link: { to: "/settings/keys" } };
  }
  if (kind !== "NO_SECONDARY") return undefined;
  const link: LinkProps = { to: "/servers", search: { new: "server" } };
  return { id: kind, shape: "LATE", what: "No name server serves your zones yet", action: "Add server", link };
}

function draftLine([zone, count]: readonly [string, number]): Line {
  const what = `${counted(count, "edit")} of ${unicodeText(zone)} ${are(count)} not applied`;
  const link: LinkProps = { to: "/zones/$zone", params: { zone } };
  return { id: `draft ${zone}`, shape: "EDITS", what, action: "Continue", link };
}

interface AttentionProps {
  /** How many zones there are, how many of them are on every server, and when one was last changed. */
  readonly all: number | null | undefined;
  readonly live: number | null | undefined;
  readonly changedAt: string | undefined;
}

export function Attention({ all: zones, live, changedAt }: AttentionProps) {
  const { key } = useViewer();
  const { data: causes = [], isSuccess } = useQuery(attentionOptions);
  const drafts = [...useStagedZones(key?.fingerprint ?? "none")].map(draftLine);
  const lines = causes.map(lineOf).filter((line) => line !== undefined);
  // Own edits come after what is late and what waits for a review.
  const place = lines.filter(({ shape }) => shape !== "REFUSED").length;
  const all = lines.toSpliced(place, 0, ...drafts);
  if (all.length === 0) {
    if (!isSuccess || !zones || zones !== live) return null;
    return (
      <p className={look.faint}>
        {zones === 1 ? "The zone is" : `All ${zones.toLocaleString()} zones are`} on every server.
        {changedAt && (
          <>
            {" "}
            Last change <Ago time={changedAt} />.
          </>
        )}
      </p>
    );
  }
  const more = all.length - mostLines;
  return (
    <section aria-labelledby="attention" className={`${look.stack} ${css.attention}`}>
      <h2 id="attention">Needs attention</h2>
      <ul className={look.list}>
        {all.slice(0, mostLines).map(({ id, shape, what, why, at, action, link }) => (
          <li key={id}>
            <span className={tones[shape]}>
              {shape === "EDITS" ? <Icon name="pencil" /> : <StateShape state={shape} />}
            </span>
            <div>
              <b className={look.strong}>{what}</b>
              {why && <p className={`${look.cut} ${look.soft} ${look.small}`}>{why}</p>}
            </div>
            <span className={`${look.faint} ${look.small} ${look.unlessPhone}`}>{at && <Ago time={at} isShort />}</span>
            <Link {...link} className={`${buttonClass()} ${look.through}`}>
              {action}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <Link to="/activity">and {more} more</Link>}
    </section>
  );
}

const attention = graphql(`
  query Attention {
    attention {
      kind count at
      secondary { id name lastTsigError { at message } lastQuery { at answer succeeded } }
      changeSet { id title author }
      refusal { id zone keyName reason }
      apiKey { id name }
    }
  }
`);

export type Cause = NonNullable<AttentionQuery["attention"]>[number];

/** How often causes are looked for while a page is shown, ms. */
const lookMs = 30_000;

export const attentionOptions = {
  ...readOptions(["change-sets", "attention"], attention, {}, (data) => data.attention ?? []),
  refetchInterval: lookMs,
};
