/**
 * A zone of the list, with what can be done with it.
 */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { exportUrl } from "../api/zone.ts";
import { LabelChips } from "../labels/chips.tsx";
import { EditLabels } from "../labels/edit-labels.tsx";
import { Menu, MenuGroup, MenuItem, menuItemClass } from "../parts/control/menu.tsx";
import { useNarrow } from "../parts/control/use-narrow.ts";
import { Named } from "../parts/page/named.tsx";
import table from "../parts/page/table.module.css";
import { type Applied, authorName, fullAuthor, throughText } from "../parts/text/author.ts";
import { Ago } from "../parts/text/time.tsx";
import { State, servedText } from "../parts/zone/state.tsx";
import { DeleteZone } from "./delete-zone.tsx";
import { DuplicateZone } from "./duplicate-zone.tsx";
import { TransferZone } from "./transfer-zone.tsx";
import type { ListedZone } from "./zone-queries.ts";
import { ZoneReview } from "./zone-review.tsx";

export function ZoneRow({ zone }: { readonly zone: ListedZone }) {
  const { isAdministrator } = useViewer();
  const [change] = zone.changes?.nodes ?? [];
  return (
    <tr>
      <td className={table.name}>
        <Link to="/zones/$zone" params={{ zone: zone.zone }}>
          {zone.zoneUnicode}
        </Link>{" "}
        <LabelChips labels={zone.labels} />
      </td>
      <td>
        {zone.publication && (
          <Link to="/zones/$zone/servers" params={{ zone: zone.zone }} className={table.plain}>
            <State state={zone.publication.state} detail={servedText(zone.publication)} />
          </Link>
        )}
      </td>
      <td className={table.line} title={change?.note ?? change?.summary ?? undefined}>
        {change && <Named text={change.note ?? change.summary ?? ""} />}
      </td>
      <td className={table.nowrap}>
        {change && (
          <>
            <Ago time={change.createdAt} /> · <Author change={change} />
          </>
        )}
      </td>
      {isAdministrator && (
        <td className={`${table.line} ${table.soft}`} title={zone.user?.email}>
          {zone.user?.email}
        </td>
      )}
      <td className={`${table.number} ${table.mono} ${table.soft}`} data-label="serial">
        {zone.serial}
      </td>
      <td className={table.end}>
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
  const isNarrow = useNarrow();
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

/** The author of a change; the key with its fingerprint, the address and the way it came show on hover. */
function Author({ change }: { readonly change: Applied }) {
  return (
    <span className={table.soft} title={`${fullAuthor(change)}, ${throughText(change)}`}>
      {authorName(change)}
    </span>
  );
}
