/**
 * The frame of both lists of keys: API keys, and those that sign DNS messages.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../parts/page.tsx";
import css from "./keys.module.css";

interface KeysPageProps {
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

export function KeysPage({ actions, children }: KeysPageProps) {
  return (
    <Page title="Keys" actions={actions}>
      <nav aria-label="Keys" className={css.tabs}>
        <Link to="/keys" activeOptions={{ exact: true }} className={css.tab} activeProps={{ className: css.here }}>
          API keys
        </Link>
        <Link to="/keys/tsig" className={css.tab} activeProps={{ className: css.here }}>
          TSIG keys
        </Link>
      </nav>
      {children}
    </Page>
  );
}
