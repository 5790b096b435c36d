/**
 * Dialogs that send something: a form with its fields, and a question that is answered by one button.
 */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../control/button.tsx";
import { Actions, Dialog, firstField } from "../control/dialog.tsx";
import { Fields } from "../control/field.tsx";
import { Refusal } from "./refusal.tsx";

interface DialogProps {
  readonly title: string;
  /** The words of the button that sends it. */
  readonly action: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

interface FormDialogProps extends DialogProps {
  readonly kind?: "primary" | "danger";
  /** Whether it can be sent as it is. */
  readonly isReady?: boolean;
  readonly isSending: boolean;
  readonly onSend: () => void;
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, kind = "primary", isReady = true, isSending, children, onSend, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isSending) onSend();
  };
  // Where there is nothing to fill in, the button has the focus once it can be pressed.
  useEffect(() => {
    if (isReady && !form.current?.querySelector(firstField)) focusSubmit(form.current);
  }, [isReady]);
  // The field that is refused may have been scrolled out of sight.
  useEffect(() => {
    if (!isSending) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isSending]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        onSubmit={submit}
        onKeyDown={(event) => {
          // A field that has sent the form by this key already is not sent once more.
          if (event.defaultPrevented || event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat)
            return;
          event.preventDefault();
          form.current?.requestSubmit();
        }}
      >
        <Fields>{children}</Fields>
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} type="submit" disabled={!isReady} busy={isSending}>
            {action}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

const focusSubmit = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>("[type=submit]:not(:disabled)")?.focus();

interface QuestionProps extends DialogProps {
  /** Whether Enter answers it. */
  readonly byEnter?: boolean;
  readonly send: () => Promise<unknown>;
  readonly onSent: () => unknown;
}

/** Asks before something that cannot be taken back. */
export function Question({ title, action, children, byEnter = false, send, onSent, onClose }: QuestionProps) {
  const sending = useMutation({ mutationFn: send, onSuccess: onSent });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {sending.error && <Refusal error={sending.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          {...(byEnter && { "data-first": true, hint: "Enter" })}
          busy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
}
