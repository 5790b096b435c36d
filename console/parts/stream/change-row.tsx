/** A change of a zone as a row: its note, or what it did, and a second line where it has not arrived everywhere. */
import type { ReactNode } from "react";
import { graphql } from "../../api/generated/gql.ts";
import type { StreamedChangeFragment } from "../../api/generated/graphql.ts";
import look from "../look.module.css";
import { fullAuthor, throughText } from "../text/author.ts";
import { unicodeText } from "../text/names.ts";
import { servedText } from "../zone/state.tsx";
import { Row, tones, writtenBy } from "./stream.tsx";

graphql(`
  fragment StreamedChange on Change {
    id kind serial createdAt zone actor appliedBy source note summary addedCount removedCount
    user { id email }
    domain { id zoneUnicode }
    returnsTo { id serial }
    publication { state secondaries { name state isJoining } }
  }
`);

export type StreamedChange = StreamedChangeFragment;

interface ChangeRowProps {
  readonly change: StreamedChange;
  /** How many changes of the same key are folded into the row. */
  readonly count?: number;
  /** Whether the list is of one zone: the row says the serial, not the zone. */
  readonly isOfZone?: boolean;
  readonly choice?: ReactNode;
  readonly actions?: ReactNode;
}

export function ChangeRow({ change, count = 1, isOfZone = false, ...beside }: ChangeRowProps) {
  const { id, createdAt, kind, serial, actor, appliedBy, source, publication, note } = change;
  const late = publication && arrivalText(publication, kind === "DELETE");
  const more = count > 1 && `and ${(count - 1).toLocaleString()} more`;
  return (
    <Row
      {...beside}
      time={createdAt}
      shape={late ? publication.state : undefined}
      title={note ? <b>{note}</b> : didText(change, isOfZone)}
      of={
        isOfZone ? (
          <>
            {note && didText(change, true)} <code>{serial}</code>
          </>
        ) : (
          <>
            {more} {ofText(change)}
          </>
        )
      }
      aside={count === 1 && kind === "EDIT" && <Counts {...change} />}
      by={{
        actor: appliedBy ?? actor,
        isPerson: source === "CONSOLE",
        title: `${fullAuthor(change)}, ${throughText(change)}`,
      }}
      why={
        late && (
          <>
            <span className={tones[publication.state]}>{late}</span>
            {writtenBy(actor, appliedBy)}
          </>
        )
      }
      to={{ to: "/changes/$change", params: { change: id } }}
    />
  );
}

/** How many records were added and removed; nothing where none was. */
const Counts = ({ addedCount, removedCount }: StreamedChange) => (
  <span className={`${look.mono} ${look.strong}`}>
    {addedCount ? <span className={look.add}>+{addedCount.toLocaleString()}</span> : null}{" "}
    {removedCount ? <span className={look.del}>−{removedCount.toLocaleString()}</span> : null}
  </span>
);

const zoneOf = ({ zone, domain }: StreamedChange) => domain?.zoneUnicode ?? unicodeText(zone);

/** What became of a zone as a whole. */
export const kindWords = { CREATE: "created", RESTORE: "restored", DELETE: "deleted" } as const;

function didText(change: StreamedChange, isOfZone: boolean): string {
  const { kind, returnsTo, source, summary } = change;
  if (returnsTo) return `Return to ${returnsTo.serial}`;
  const did = unicodeText(summary ?? "");
  if (kind !== "EDIT" && !isOfZone) return `${zoneOf(change)} was ${kindWords[kind]}`;
  if (kind !== "EDIT") return did.replace(/^./, (first) => first.toUpperCase());
  // The counts are beside it.
  return source === "IMPORT" ? "Imported from a file" : did.replace(/^(?:[+−]\d+ )+in .*?: /, "");
}

/** The zone of a change; where the title names it, how many records it had. */
const ofText = (change: StreamedChange) =>
  change.kind === "EDIT" || change.note ? zoneOf(change) : change.summary?.replace(/^\w+ /, "");

/** How far a change has come, unless it has arrived everywhere. */
function arrivalText(publication: NonNullable<StreamedChange["publication"]>, isDeletion: boolean): string | undefined {
  const { state } = publication;
  const served = servedText(publication);
  if (served === undefined || (state !== "LATE" && state !== "PENDING")) return undefined;
  if (state === "LATE") return isDeletion ? `still served by ${served}` : `late at ${served}`;
  return isDeletion ? `gone from ${served} servers` : `on ${served} servers`;
}
