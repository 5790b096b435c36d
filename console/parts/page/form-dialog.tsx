/**
 * Forms and the dialogs that send something: a form with its fields, and a question that is answered by one button.
 */
import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { createContext, type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "../control/button.tsx";
import { Actions, Dialog, firstField } from "../control/dialog.tsx";
import { Fields } from "../control/field.tsx";
import { onControlEnter } from "../control/keyboard.ts";
import { Refusal, reasonsByField } from "./refusal.tsx";

interface FormOptions<Result, Values> extends Omit<UseMutationOptions<Result>, "mutationFn" | "onSuccess"> {
  /** What is written in the fields at first, by their names in the input. */
  readonly values?: Values | (() => Values);
  /** Other names at whose places of the form reasons of a refusal are shown. */
  readonly fields?: readonly string[] | ((values: Values) => readonly string[]);
  /** Sends what is written, without blanks around it. */
  readonly mutationFn: (written: Values) => Promise<Result>;
  readonly onSuccess?: (result: Result, written: Values) => unknown;
}

/** What is written, its sending, the sentences about each field, and as `rest` those about no field of the form. */
export function useForm<Result, Values extends object = Record<never, never>>({
  values: first = {} as Values,
  fields = [],
  mutationFn,
  onSuccess,
  ...options
}: FormOptions<Result, Values>) {
  const [values, setValues] = useState<Values>(first);
  const sending = useMutation({
    ...options,
    mutationFn: () => mutationFn(trimmed(values)),
    onSuccess: (result) => onSuccess?.(result, trimmed(values)),
  });
  const written = Object.entries(values).flatMap(([name, value]) =>
    typeof value === "object" ? [] : [withParts(name)],
  );
  const names = [...written, ...(typeof fields === "function" ? fields(values) : fields)];
  const set = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  return { ...sending, ...reasonsByField(sending.error, names), values, set };
}

/** A field and what is in it, as reasons name them. */
export const withParts = (name: string) => `${name}.*`;

const trimmed = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  ) as Values;

export interface Written {
  readonly values: object;
  readonly set: (changed: Record<string, unknown>) => void;
  readonly errorOf: (field: string) => string | undefined;
}

export const FormContext = createContext<Written | undefined>(undefined);

/** The fields in it are those of a form. */
export const FieldsOf = ({ form, children }: { readonly form: object; readonly children: ReactNode }) => (
  <FormContext value={form as Written}>{children}</FormContext>
);

interface DialogProps {
  readonly title: string;
  /** The words of the button that sends it. */
  readonly action: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

interface FormDialogProps extends DialogProps {
  readonly form: { readonly isPending: boolean; readonly mutate: () => void; readonly rest: ReactNode };
  readonly kind?: "primary" | "danger";
  /** Whether the form is complete. */
  readonly isReady?: boolean;
  /** What the button does in place of sending the form. */
  readonly onSend?: () => void;
}

export function FormDialog(props: FormDialogProps) {
  const { title, action, form, kind = "primary", isReady = true, children, onClose } = props;
  const { isPending, mutate, rest } = form;
  const { onSend = () => mutate() } = props;
  const box = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isPending) onSend();
  };
  // Where there is nothing to fill in, the button has the focus once it can be pressed.
  useEffect(() => {
    if (isReady && !box.current?.querySelector(firstField)) focusSubmit(box.current);
  }, [isReady]);
  // The field that is refused may have been scrolled out of sight.
  useEffect(() => {
    if (!isPending) box.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isPending]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={box} onSubmit={submit} onKeyDown={onControlEnter(() => box.current?.requestSubmit())}>
        <Fields>
          <FieldsOf form={form}>{children}</FieldsOf>
          {rest}
        </Fields>
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} type="submit" disabled={!isReady} busy={isPending}>
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
  readonly kind?: "primary" | "danger";
  readonly send: () => Promise<unknown>;
  readonly onSent: () => unknown;
}

/** Asks before an action, most often one that cannot be undone. */
export function Question({ title, action, children, byEnter = false, kind = "danger", ...rest }: QuestionProps) {
  const { send, onSent, onClose } = rest;
  const sending = useMutation({ mutationFn: send, onSuccess: onSent });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {sending.error && <Refusal error={sending.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={kind}
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
