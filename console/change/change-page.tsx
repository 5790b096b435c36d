/**
 * The page of a change in each state: its name, its state and one main button above; what it does at the left; facts at the right; and what
 * happened to it and was said of it.
 */
import { Link, useCanGoBack, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { ChangeSetEventKind } from "../api/generated/graphql.ts";
import { commentOn, lookAgain, type ShownSet } from "../changesets/queries.ts";
import type { ShownChange } from "../history/queries.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button, IconButton } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { hasControl, onControlEnter } from "../parts/control/keyboard.ts";
import { Menu } from "../parts/control/menu.tsx";
import look from "../parts/look.module.css";
import { AreaField, FieldsOf, useForm } from "../parts/page/form.tsx";
import page from "../parts/page/page.module.css";
import { useTitle } from "../parts/page/page.tsx";
import { authorName, fullAuthor } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import css from "./change.module.css";

interface ChangePageProps {
  readonly title: string;
  /** Its state, and who answers for it. */
  readonly facts: ReactNode;
  readonly more?: ReactNode;
  /** The main button, and what it opens. Ctrl+Enter presses it. */
  readonly action?: ReactNode;
  readonly aside: ReactNode;
  /** Leads away from the page, by default to where the viewer came from. */
  readonly onBack?: () => void;
  /** A bar at the lower edge; `data-main` marks its main button. */
  readonly bar?: ReactNode;
  readonly isWithin?: boolean;
  readonly children: ReactNode;
}

export function ChangePage(props: ChangePageProps) {
  const { title, facts, more, action, aside, onBack, bar, isWithin = false, children } = props;
  useTitle(title);
  useMainKey();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const back = onBack ?? (() => (canGoBack ? router.history.back() : void router.navigate({ to: "/activity" })));
  const Whole = isWithin ? "div" : "main";
  return (
    <Whole
      className={isWithin ? `${look.stack} ${css.within}` : `${look.stack} ${page.page}`}
      data-draft={isWithin || undefined}
    >
      <header className={look.line}>
        <span className={css.back}>
          <IconButton icon="left" label="Back" onClick={back} data-back />
        </span>
        <h1 className={css.title}>{title}</h1>
        <div className={`${look.line} ${look.end}`} data-main>
          {more && (
            <Menu icon="more" label="More for the change">
              {more}
            </Menu>
          )}
          {action}
        </div>
      </header>
      <div className={`${look.line} ${look.soft}`}>{facts}</div>
      <div className={css.columns}>
        <div className={look.stack}>{children}</div>
        <aside className={css.aside}>{aside}</aside>
      </div>
      {bar && <footer className={`${look.line} ${look.bottom} ${css.footer}`}>{bar}</footer>}
    </Whole>
  );
}

/** Ctrl+Enter presses the main button, unless something else takes it. */
function useMainKey(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key !== "Enter" || !hasControl(event) || event.repeat) return;
      if (document.querySelector("dialog[open], :popover-open")) return;
      const main = document.querySelector<HTMLElement>(
        "button[data-main], [data-main] > :is(a, button):not([popovertarget])",
      );
      if (!main) return;
      event.preventDefault();
      main.click();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** The state of a change in a word or two: whether it waits for the viewer, or is late or incomplete. */
export const Pill = ({ tone, children }: { tone?: "you" | "late" | undefined; children: ReactNode }) => (
  <span className={`${page.label} ${css.pill}`} data-tone={tone}>
    {children}
  </span>
);

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
);

export const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={look.line}>
    <dt>{name}</dt>
    <dd className={`${look.end} ${look.anywhere}`}>{children}</dd>
  </div>
);

interface ZoneNameProps {
  readonly change: Pick<ShownChange, "id" | "zone" | "serial" | "kind"> & {
    readonly domain: Pick<NonNullable<ShownChange["domain"]>, "zoneUnicode"> | null;
  };
  readonly counts?: string | undefined;
}

/** The zone of a change, how many records it changed, and its serial, which leads to the zone as it was then. */
export function ZoneName({ change: { id, zone, serial, kind, domain }, counts }: ZoneNameProps) {
  return (
    <div className={look.line}>
      <h2>
        {domain ? (
          <Link to="/zones/$zone" params={{ zone }} className={look.plain}>
            {domain.zoneUnicode}
          </Link>
        ) : (
          unicodeText(zone)
        )}
      </h2>
      {counts && <code>{counts}</code>}
      {domain && kind !== "DELETE" ? (
        <Link
          to="/zones/$zone/history/$moment"
          params={{ zone, moment: id }}
          className={look.soft}
          title="The zone at this moment"
        >
          <code>{serial}</code>
        </Link>
      ) : (
        <code className={look.soft}>{serial}</code>
      )}
    </div>
  );
}

const titleLength = 100;

/** The title of a page by what somebody wrote of it: its first line. */
export function titleOf(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length > titleLength ? `${line.slice(0, titleLength).trimEnd()}…` : line;
}

const words: Readonly<Record<ChangeSetEventKind, string>> = {
  CREATED: "opened it",
  STAGED: "changed what it does",
  UNSTAGED: "took zones out of it",
  SUBMITTED: "asked for review",
  WITHDRAWN: "withdrew it from review",
  APPROVED: "approved it",
  CHANGES_REQUESTED: "requested changes",
  COMMENTED: "commented",
  SCHEDULED: "scheduled it",
  UNSCHEDULED: "unscheduled it",
  CONFLICTED: "found that others changed the same",
  MISSED: "did not apply it: its time had passed",
  FAILED: "could not apply it",
  APPLYING: "began to apply it",
  APPLIED: "applied it",
  PARTIAL: "applied it in part",
  CANCELLED: "cancelled it",
  EXPIRED: "ended it: nobody had touched it",
};

export const Events = ({ children }: { readonly children: ReactNode }) => (
  <ol className={`${look.stack} ${look.close} ${css.events}`}>{children}</ol>
);

export function Timeline({ set }: { readonly set: ShownSet }) {
  return (
    <section aria-labelledby="timeline" className={look.stack}>
      <h2 id="timeline">Timeline</h2>
      <Events>
        {set.timeline?.nodes.map(({ kind, createdAt, text, ...by }) => (
          <li key={`${createdAt} ${kind}`}>
            <b title={fullAuthor(by)}>{authorName(by)}</b> {words[kind]}{" "}
            <small className={look.soft}>
              · <Ago time={createdAt} />
            </small>
            {text && <p className={page.quote}>{kind === "SCHEDULED" ? <Exact time={text} /> : text}</p>}
          </li>
        ))}
      </Events>
      {set.availableActions?.includes("COMMENT") && <Comment id={set.id} />}
    </section>
  );
}

function Comment({ id }: { readonly id: string }) {
  const sending = useForm({
    values: { text: "" },
    mutationFn: ({ text }) => commentOn(id, text),
    onSuccess: async () => {
      sending.set({ text: "" });
      announceResult("The comment is written.");
      await lookAgain(id);
    },
  });
  const isEmpty = sending.values.text.trim() === "";
  const send = () => {
    if (!isEmpty && !sending.isPending) sending.mutate();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={onControlEnter(send)}
    >
      <FieldsOf form={sending}>
        <AreaField name="text" label="Comment" />
      </FieldsOf>
      {sending.rest}
      <Actions>
        <Button type="submit" disabled={isEmpty} busy={sending.isPending}>
          Comment
        </Button>
      </Actions>
    </form>
  );
}
