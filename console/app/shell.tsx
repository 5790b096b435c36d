/** What is around every page of one who is signed in: the header, the bars, and what the keys open. */
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useViewer } from "../api/viewer.ts";
import { attentionOptions } from "../attention/attention.tsx";
import type { Opened } from "../palette/actions.tsx";
import { visit } from "../palette/visited.ts";
import { Hidden, LiveRegions } from "../parts/control/announce.tsx";
import { Icon } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Loading, shownTitle } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { StagedZones } from "../sheet/draft/staged-zones.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Help } from "./help.tsx";
import { listenForKeys } from "./keys.ts";
import { placesOf, settingsOf } from "./places.ts";
import css from "./shell.module.css";
import { SignInAgain, SignOut } from "./sign-in.tsx";
import { ConnectionBar, HoldBars } from "./warning-bars.tsx";

const readPalette = () => import("../palette/palette.tsx");

export function Shell() {
  const viewer = useViewer();
  const router = useRouter();
  const [open, setOpen] = useState<"help" | "palette" | Opened>();
  const close = () => setOpen(undefined);
  const { isAdministrator } = viewer;
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(
    () => listenForKeys(router, { help: () => setOpen("help"), palette: () => setOpen("palette"), isAdministrator }),
    [router, isAdministrator],
  );
  const fingerprint = viewer.key?.fingerprint;
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) visit(fingerprint, fromLocation.pathname, shownTitle());
      }),
    [router, fingerprint],
  );
  // It is read before it is opened, and shows at once then.
  const [palette, setPalette] = useState<Awaited<ReturnType<typeof readPalette>>>();
  useEffect(() => void readPalette().then(setPalette), []);
  // What led to another page may have gone with the former one: then the focus is at the new one.
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        if (fromLocation && pathChanged && document.activeElement === document.body)
          document.getElementById("page")?.focus({ preventScroll: true });
      }),
    [router],
  );
  const pages = [...placesOf(isAdministrator), ...settingsOf(isAdministrator)];
  return (
    <>
      <a href="#page" className={css.skip}>
        To the content
      </a>
      <header className={css.header}>
        <Link to="/zones" className={`${look.beside} ${css.brand}`} aria-label="Zonesmith">
          <svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" fill="currentColor">
            <path d={mark} />
          </svg>
          <span className={look.unlessPhone}>
            zonesmith<b>.</b>
          </span>
        </Link>
        <nav aria-label="Places" className={css.nav}>
          {placesOf(isAdministrator).map(({ to, label, others }) => (
            <Link
              key={to}
              to={to}
              className={`${look.beside} ${look.soft} ${css.place}`}
              activeProps={{ className: css.here }}
              {...(others?.test(path) && {
                className: `${look.beside} ${css.place} ${css.here}`,
                "aria-current": "page",
              })}
            >
              {label}
              <Waiting place={to} />
            </Link>
          ))}
        </nav>
        <div className={`${look.beside} ${look.end}`}>
          <button type="button" className={`${look.beside} ${css.find}`} onClick={() => setOpen("palette")}>
            <Icon name="search" />
            <span className={`${look.grow} ${look.cut}`}>Search or go to…</span>
            <kbd>Ctrl K</kbd>
          </button>
          <StagedZones fingerprint={viewer.key?.fingerprint ?? "none"} />
          <AccountMenu onHelp={() => setOpen("help")} onSignOut={() => setOpen("signOut")} />
        </div>
      </header>
      <ConnectionBar />
      <HoldBars />
      <div id="page" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </div>
      {open === "help" && <Help onClose={close} />}
      {open === "palette" && palette && <palette.Palette pages={pages} onOpen={setOpen} onClose={close} />}
      {open === "signOut" && <SignOut onClose={close} />}
      {typeof open === "object" && palette && <palette.ChangeAddress {...open} onClose={close} />}
      <SignInAgain viewer={viewer} />
      <LiveRegions />
    </>
  );
}

/** An anvil that is a Z, drawn for 20 by 20. */
const mark = "M.8 3.2H18.5V7.2H14.6L9.9 12.6H16.4V16.8H3.4V12.8L8.1 7.4C4.3 7.4 1.7 6 .8 3.2Z";

/** How many reviews wait for the viewer, or servers are late. */
function Waiting({ place }: { readonly place: string }) {
  const { data = [] } = useQuery(attentionOptions);
  const isOfServers = place === "/servers";
  const count = data.filter(({ kind }) => kind === (isOfServers ? "LATE_SECONDARY" : "REVIEW")).length;
  if (count === 0 || !(isOfServers || place === "/activity")) return null;
  const title = isOfServers
    ? `${counted(count, "server")} late`
    : `${counted(count, "review")} ${count === 1 ? "waits" : "wait"} for you`;
  return (
    <span className={isOfServers ? `${css.count} ${css.late}` : css.count} title={title}>
      <span aria-hidden="true">{count}</span>
      <Hidden> {title}</Hidden>
    </span>
  );
}
