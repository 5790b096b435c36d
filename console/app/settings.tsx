/** Settings: who and what may come in, and what is set once; its pages beside their names. */
import { Link, Outlet } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { WithinPage } from "../parts/page/page.tsx";
import { settingsOf } from "./places.ts";
import css from "./settings.module.css";

export function Settings() {
  const { isAdministrator } = useViewer();
  return (
    <main className={css.settings}>
      <div>
        <h1>Settings</h1>
        <nav aria-label="Settings" className={css.pages}>
          {settingsOf(isAdministrator).map(({ to, label }) => (
            <Link key={to} to={to} activeProps={{ className: css.here }}>
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <WithinPage value={true}>
        <Outlet />
      </WithinPage>
    </main>
  );
}
