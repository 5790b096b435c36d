/** What happened to a change set and what was said of it, and the field for a comment. */
import { type ReactNode, useState } from "react";
import type { ChangeSetEventKind } from "../api/generated/graphql.ts";
import { lookAgain, type ShownSet } from "../changesets/queries.ts";
import { commentOn } from "../changesets/steps.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions } from "../parts/control/dialog.tsx";
import { Field, TextArea } from "../parts/control/field.tsx";
import { onControlEnter } from "../parts/control/keyboard.ts";
import look from "../parts/look.module.css";
import { useForm } from "../parts/page/form-dialog.tsx";
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
  const [text, setText] = useState("");
  const sending = useForm({
    fields: ["text"],
    mutationFn: () => commentOn(id, text),
    onSuccess: async () => {
      setText("");
      announceResult("The comment is written.");
      await lookAgain(id);
    },
  });
  const send = () => {
    if (text.trim() !== "" && !sending.isPending) sending.mutate();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={onControlEnter(send)}
    >
      <Field label="Comment" error={sending.errorOf("text")}>
        <TextArea value={text} onChange={setText} />
      </Field>
      {sending.rest}
      <Actions>
        <Button type="submit" disabled={text.trim() === ""} busy={sending.isPending}>
          Comment
        </Button>
      </Actions>
    </form>
  );
}
