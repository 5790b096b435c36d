/**
 * The frame of both lists of keys: API keys, and those that sign DNS messages.
 */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../parts/page.tsx";
import tab from "../parts/tabs.module.css";
import css from "./keys.module.css";

interface KeysPageProps {
  /** What a key of the page is called: its window is named after it. */
  readonly kind: string;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

export function KeysPage({ kind, actions, children }: KeysPageProps) {
  return (
    <Page title={`${kind}s`} actions={actions}>
      <nav aria-label="Keys" className={css.tabs}>
        <Link to="/keys" activeOptions={{ exact: true }} className={tab.link} activeProps={{ className: tab.here }}>
          API keys
        </Link>
        <Link to="/keys/tsig" className={tab.link} activeProps={{ className: tab.here }}>
          TSIG keys
        </Link>
      </nav>
      {children}
    </Page>
  );
}
