/** A committed change on its way: which server serves it since when, and the way back. */
import { useEffect } from "react";
import type { Publication } from "../../api/zone.ts";
import { announce } from "../../parts/control/announce.tsx";
import { Button } from "../../parts/control/button.tsx";
import { Actions } from "../../parts/control/dialog.tsx";
import { clockText } from "../../parts/text/time.tsx";
import { State } from "../../parts/zone/state.tsx";
import type { Committed } from "../apply/review.ts";
import type { TakenBack } from "../draft/inverse.ts";
import css from "./review.module.css";

interface Props {
  readonly committed: Committed;
  readonly publication: Publication | undefined;
  onUndo(change: TakenBack): void;
  onClose(): void;
}

/** Whether a serial is the other or comes after it (RFC 1982). */
const reaches = (serial: number, other: number) => (serial - other + 2 ** 32) % 2 ** 32 < 2 ** 31;

type Server = NonNullable<Publication["secondaries"]>[number];

function detailOf({ state, serial, seenAt, lastError }: Server): string {
  const serves = serial === null || serial === undefined ? "" : `serves ${serial}`;
  const time = seenAt ? clockText(new Date(seenAt)) : "";
  if (state === "LIVE") return [serves, time && `seen ${time}`].filter(Boolean).join(", ");
  return [lastError, serves && `last ${serves}${time && ` at ${time}`}`].filter(Boolean).join("; ");
}

export function Progress({ committed, publication, onUndo, onClose }: Props) {
  const { change, elapsed } = committed;
  const servers = publication?.secondaries ?? [];
  const isOfChange = publication !== undefined && reaches(publication.serial, change.serial);
  const live = servers.filter(
    ({ state, serial }) => state === "LIVE" || (serial != null && reaches(serial, change.serial)),
  );
  const isLive = isOfChange && publication.state === "LIVE";
  useEffect(() => {
    if (isLive) announce(`On ${servers.length} of ${servers.length} servers.`);
  }, [isLive, servers.length]);
  return (
    <>
      <p>
        {change.id === ""
          ? "Nothing had to be changed: the zone was like this already."
          : `Committed as ${change.serial}${elapsed === undefined ? "" : ` in ${Math.max(1, Math.round(elapsed))} ms`}.`}
      </p>
      <p aria-live="polite">
        {!publication ? (
          "The zone is not followed at present; its state is in its heading again as soon as it is."
        ) : publication.state === "UNSERVED" ? (
          "No server is registered that would serve it."
        ) : (
          <State
            state={isOfChange ? publication.state : "PENDING"}
            detail={`${isLive ? "On" : "on"} ${isOfChange ? live.length : 0} of ${servers.length} servers`}
          />
        )}
      </p>
      {servers.length > 0 && (
        <table className={css.servers}>
          <tbody>
            {servers.map((server) => (
              <tr key={server.name}>
                <th scope="row">{server.name}</th>
                <td>
                  <State state={isOfChange ? server.state : "PENDING"} />
                </td>
                <td>{detailOf(server)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Actions>
        {change.id !== "" && (
          <Button onClick={() => onUndo({ ...change, lines: committed.previewed.lines })}>Undo this change</Button>
        )}
        <Button kind="primary" hint="Esc" onClick={onClose} data-first>
          Close
        </Button>
      </Actions>
    </>
  );
}
