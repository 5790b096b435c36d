/**
 * A zone of the list, with what can be done with it.
 */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { exportUrl } from "../api/zone.ts";
import { EditLabels, LabelChips } from "../labels/labels.tsx";
import { lazily } from "../parts/control/lazily.tsx";
import { Menu, MenuGroup, MenuItem, menuItemClass } from "../parts/control/menu.tsx";
import { useNarrow } from "../parts/control/use-narrow.ts";
import look from "../parts/look.module.css";
import { Named } from "../parts/page/named.tsx";
import table from "../parts/page/table.module.css";
import { fullAuthor, personName, throughText } from "../parts/text/author.ts";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { State, servedText } from "../parts/zone/state.tsx";
import type { ListedZone } from "./zone-queries.ts";
import css from "./zones.module.css";

const DeleteZone = lazily(async () => (await import("./delete-zone.tsx")).DeleteZone);
const DuplicateZone = lazily(async () => (await import("./duplicate-zone.tsx")).DuplicateZone);
const TransferZone = lazily(async () => (await import("./transfer-zone.tsx")).TransferZone);
const ZoneReview = lazily(async () => (await import("./zone-review.tsx")).ZoneReview);

interface ZoneRowProps {
  readonly zone: ListedZone;
  /** Edits of the viewer that are not applied. */
  readonly edits: number;
}

export function ZoneRow({ zone, edits }: ZoneRowProps) {
  const { isAdministrator } = useViewer();
  const [change] = zone.changes?.nodes ?? [];
  const { publication } = zone;
  const what = change?.note ?? change?.summary ?? "";
  return (
    <tr>
      <td className={css.name}>
        <Link to="/zones/$zone" params={{ zone: zone.zone }} title={zone.zoneUnicode}>
          {zone.zoneUnicode}
        </Link>
        <span className={`${look.unlessTablet} ${css.labels}`}>
          <LabelChips labels={zone.labels} />
        </span>
        {edits > 0 && <span className={`${look.accent} ${look.small}`}>{counted(edits, "edit")}</span>}
      </td>
      <td className={css.served}>
        {publication && (
          <Link to="/zones/$zone/servers" params={{ zone: zone.zone }} className={look.plain}>
            <State state={publication.state} detail={servedText(publication)} />
            {publication.state === "LATE" && (
              <span className={`${look.faint} ${look.unlessPhone}`}>
                {" "}
                · <Ago time={publication.since} isShort />
              </span>
            )}
          </Link>
        )}
      </td>
      <td className={css.change} title={what}>
        <Named text={what} />
      </td>
      <td className={css.who}>
        {change && (
          <span title={`${fullAuthor(change)}, ${throughText(change)}`}>
            <Ago time={change.createdAt} isShort /> · {personName(change)}
          </span>
        )}
      </td>
      {isAdministrator && (
        <td className={`${look.faint} ${look.unlessTablet}`} title={zone.user?.email}>
          {zone.user?.email}
        </td>
      )}
      <td className={`${look.faint} ${look.mono} ${look.unlessTablet} ${table.number}`}>{zone.serial}</td>
      <td className={`${look.onHover} ${look.unlessPhone} ${css.menu}`}>
        <ZoneMenu zone={zone} />
      </td>
    </tr>
  );
}

interface ZoneMenuProps {
  readonly zone: Pick<ListedZone, "zone" | "zoneUnicode" | "user">;
  /** Whether it is on the zone's own page, which has more of it beside. */
  readonly isOnPage?: boolean;
  readonly onDeleted?: () => void;
}

/** What can be done with a zone as a whole. */
export function ZoneMenu({ zone, isOnPage = false, onDeleted }: ZoneMenuProps) {
  const isNarrow = useNarrow(900);
  const { isAdministrator, readOnly } = useViewer();
  const [open, setOpen] = useState<"labels" | "review" | "duplicate" | "transfer" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu icon="more" label={`More for ${zone.zoneUnicode}`}>
        {(!isOnPage || isNarrow) && (
          <MenuGroup>
            {!isOnPage && (
              <Link to="/zones/$zone" params={{ zone: zone.zone }} className={menuItemClass}>
                Open
              </Link>
            )}
            {!readOnly && (
              <Link to="/zones/$zone" search={{ import: "1" }} params={{ zone: zone.zone }} className={menuItemClass}>
                Import…
              </Link>
            )}
            <a href={exportUrl(zone.zone)} download={`${zone.zone}.zone`} className={menuItemClass}>
              Export
            </a>
          </MenuGroup>
        )}
        {!readOnly && (
          <MenuGroup>
            <MenuItem onClick={() => setOpen("labels")}>Labels…</MenuItem>
            <MenuItem onClick={() => setOpen("review")}>Review…</MenuItem>
            <MenuItem onClick={() => setOpen("duplicate")}>Duplicate…</MenuItem>
            {isAdministrator && <MenuItem onClick={() => setOpen("transfer")}>Transfer…</MenuItem>}
            <MenuItem danger onClick={() => setOpen("delete")}>
              Delete…
            </MenuItem>
          </MenuGroup>
        )}
      </Menu>
      {open === "delete" && <DeleteZone zone={zone} onClose={close} onDeleted={onDeleted} />}
      {open === "labels" && <EditLabels zone={zone} onClose={close} />}
      {open === "review" && <ZoneReview zone={zone} onClose={close} />}
      {open === "duplicate" && <DuplicateZone zone={zone} onClose={close} />}
      {open === "transfer" && <TransferZone zone={zone} onClose={close} />}
    </>
  );
}
