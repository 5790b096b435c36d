/** What happened to a change set and what was said of it, and the field for a comment. */
import type { ReactNode } from "react";
import type { ChangeSetEventKind } from "../api/generated/graphql.ts";
import { commentOn, lookAgain, type ShownSet } from "../changesets/queries.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { onControlEnter } from "../parts/control/keyboard.ts";
import look from "../parts/look.module.css";
import { AreaField, FieldsOf, useForm } from "../parts/page/form.tsx";
import page from "../parts/page/page.module.css";
import { authorName, fullAuthor } from "../parts/text/author.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import css from "./change.module.css";

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
