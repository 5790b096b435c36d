/**
 * What is around every page of one who is signed in: the header, the bars, and what the keys open.
 */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useMemo, useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { Hidden, LiveRegions } from "../parts/control/announce.tsx";
import { buttonClass } from "../parts/control/button.tsx";
import { Icon } from "../parts/control/icon.tsx";
import { Menu, menuItemClass } from "../parts/control/menu.tsx";
import { Loading } from "../parts/page/page.tsx";
import { recentRefusalsOptions, recentText } from "../refusals/recent.ts";
import { StagedZones } from "../sheet/draft/staged-zones.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { GoTo } from "./go-to.tsx";
import { Help } from "./help.tsx";
import { listenForKeys } from "./keys.ts";
import { placesOf } from "./places.ts";
import css from "./shell.module.css";
import { SignInAgain } from "./sign-in.tsx";
import { ConnectionBar, HoldBars } from "./warning-bars.tsx";

/** The pages that are reached from that of the zones, and are of them. */
const ofZones = /^\/(deleted|templates)(\/|$)/;

export function Shell() {
  const viewer = useViewer();
  const router = useRouter();
  const [open, setOpen] = useState<"help" | "goTo">();
  const close = () => setOpen(undefined);
  const places = useMemo(() => placesOf(viewer.isAdministrator), [viewer.isAdministrator]);
  const isOfZones = useLocation({ select: ({ pathname }) => ofZones.test(pathname) });
  useEffect(() => {
    return listenForKeys(router, { help: () => setOpen("help"), goTo: () => setOpen("goTo"), places });
  }, [router, places]);
  // What led to another page may have gone with the former one: then the focus is at the new one.
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        if (fromLocation && pathChanged && document.activeElement === document.body)
          document.getElementById("page")?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <>
      <a href="#page" className={css.skip}>
        To the content
      </a>
      <header className={css.header}>
        <Link to="/zones" className={css.brand}>
          Zonesmith
        </Link>
        <nav aria-label="Pages" className={css.nav}>
          {places.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={css.place}
              activeProps={{ className: css.here }}
              {...(to === "/zones" && isOfZones && { className: `${css.place} ${css.here}`, "aria-current": "page" })}
            >
              {label}
              {to === "/refusals" && <RecentRefusals />}
            </Link>
          ))}
        </nav>
        <div className={css.small}>
          <Menu icon="menu" label="Pages">
            {places.map(({ to, label }) => (
              <Link key={to} to={to} className={menuItemClass}>
                {label}
                {to === "/refusals" && <RecentRefusals />}
              </Link>
            ))}
          </Menu>
        </div>
        <div className={css.tools}>
          <button type="button" className={`${buttonClass("quiet")} ${css.goTo}`} onClick={() => setOpen("goTo")}>
            <Icon name="search" />
            <Hidden>Go to a zone or a page</Hidden>
            <kbd>Ctrl K</kbd>
          </button>
          <StagedZones fingerprint={viewer.key?.fingerprint ?? "none"} />
          <AccountMenu onHelp={() => setOpen("help")} />
        </div>
      </header>
      <ConnectionBar />
      <HoldBars />
      <div id="page" tabIndex={-1} className={css.content}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </div>
      {open === "help" && <Help onClose={close} />}
      {open === "goTo" && <GoTo onClose={close} />}
      <SignInAgain viewer={viewer} />
      <LiveRegions />
    </>
  );
}

/** How many updates were refused of late, beside the place where they are listed. */
function RecentRefusals() {
  const count = recentText(useQuery(recentRefusalsOptions).data);
  if (count === undefined) return null;
  return (
    <>
      {" "}
      <span className={css.chip} title={`${count} in the last 24 hours`}>
        {count}
        <Hidden> in the last 24 hours</Hidden>
      </span>
    </>
  );
}
