/** What can be done with a zone as a whole. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { exportUrl } from "../api/zone.ts";
import { EditLabels } from "../labels/labels.tsx";
import { useNarrow } from "../parts/control/hooks.ts";
import { lazily } from "../parts/control/lazily.tsx";
import { Menu, MenuGroup, MenuItem, menuItemClass } from "../parts/control/menu.tsx";
import type { DialogProps } from "./zone-dialogs.tsx";

interface ZoneMenuProps extends Omit<DialogProps, "onClose"> {
  /** Whether it is on the zone's own page, which has more of it beside. */
  readonly isOnPage?: boolean;
}

const read = () => import("./zone-dialogs.tsx");
const dialogs = {
  labels: EditLabels,
  review: lazily(async () => (await read()).ZoneReview),
  duplicate: lazily(async () => (await read()).DuplicateZone),
  transfer: lazily(async () => (await read()).TransferZone),
  delete: lazily(async () => (await read()).DeleteZone),
} as const;

export function ZoneMenu({ zone, isOnPage = false, onDeleted }: ZoneMenuProps) {
  const isNarrow = useNarrow(900);
  const { isAdministrator, readOnly } = useViewer();
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const Opened = open && dialogs[open];
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
      {Opened && <Opened zone={zone} onClose={() => setOpen(undefined)} onDeleted={onDeleted} />}
    </>
  );
}
