/**
 * Dialogs that send something: a form with its fields, and a question that is answered by one button.
 */
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Actions, Dialog } from "./dialog.tsx";
import { Fields } from "./field.tsx";
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSend();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
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
