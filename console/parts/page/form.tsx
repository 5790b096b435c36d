/**
 * Forms and the dialogs that send something. The fields have the names that they have in what is sent; what the service refuses of one is
 * shown at it. A question is answered by one button.
 */
import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { readAgain } from "../../api/queries.ts";
import { announceResult } from "../control/announce.tsx";
import { Button } from "../control/button.tsx";
import { Actions, Dialog, firstField } from "../control/dialog.tsx";
import { Choice, Field, Fields, Select, TextArea, TextInput } from "../control/field.tsx";
import { onControlEnter } from "../control/keyboard.ts";
import { Refusal, reasonsByField } from "./page.tsx";

interface FormOptions<Result, Values> extends Omit<UseMutationOptions<Result>, "mutationFn" | "onSuccess"> {
  /** What is in the fields until they are written, by their names in the input; a function is called once. */
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
  const [initial] = useState(() => (typeof first === "function" ? (first as () => Values)() : undefined));
  const [written, setWritten] = useState<Partial<Values>>({});
  const values: Values = { ...(initial ?? (first as Values)), ...written };
  const sending = useMutation({
    ...options,
    mutationFn: () => mutationFn(trimmed(values)),
    onSuccess: (result) => onSuccess?.(result, trimmed(values)),
  });
  const own = Object.entries(values).flatMap(([name, value]) => (typeof value === "object" ? [] : [withParts(name)]));
  const names = [...own, ...(typeof fields === "function" ? fields(values) : fields)];
  const set = (changed: Partial<Values>) => setWritten((before) => ({ ...before, ...changed }));
  return { ...sending, ...reasonsByField(sending.error, names), values, set };
}

/** A field and what is in it, as reasons name them. */
const withParts = (name: string) => `${name}.*`;

const trimmed = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  ) as Values;

export interface Written {
  readonly values: object;
  readonly set: (changed: Record<string, unknown>) => void;
  readonly errorOf: (field: string) => string | undefined;
}

const FormContext = createContext<Written | undefined>(undefined);

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

interface DialogButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  readonly dialog: (close: () => void) => ReactNode;
}

export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

interface QuestionProps extends DialogProps, Pick<UseMutationOptions, "onSuccess" | "onError" | "onSettled"> {
  readonly byEnter?: boolean;
  readonly kind?: "primary" | "danger";
  readonly send: () => Promise<unknown>;
}

/** Asks before an action, most often one that cannot be undone. */
export function Question({ title, action, children, byEnter = false, kind = "danger", ...rest }: QuestionProps) {
  const { send, onClose, ...after } = rest;
  const sending = useMutation({ ...after, mutationFn: send });
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

/** A field of the form around it: what is written, what writes it, and what is wrong with it. */
export function useField<Value>(name: string) {
  const { values, set, errorOf } = useContext(FormContext) as Written;
  return {
    value: (values as Record<string, Value>)[name] as Value,
    onChange: (value: Value) => set({ [name]: value }),
    error: errorOf(withParts(name)),
  };
}

interface OfForm {
  readonly name: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with it besides. */
  readonly error?: string | undefined;
}

/** A control as the field `name` of the form around it. */
const ofForm = <Props extends { readonly onChange: (value: string) => void }>(Control: (props: Props) => ReactNode) =>
  function FormField(props: OfForm & Omit<Props, "name" | "value" | "onChange">) {
    const { name, label, hint, error, ...rest } = props;
    const { value, onChange, error: refused = error } = useField<string>(name);
    const control = { ...rest, value, onChange } as unknown as Props;
    return (
      <Field label={label} hint={hint} error={refused}>
        <Control {...control} />
      </Field>
    );
  };

export const TextField = ofForm(TextInput);
export const AreaField = ofForm(TextArea);
export const SelectField = ofForm(Select<string>);

export function CheckField({ name, ...choice }: Omit<OfForm, "error">) {
  const { value, onChange } = useField<boolean>(name);
  return <Choice {...choice} checked={value} onChange={onChange} />;
}

/** Says that it is done, closes the form, and reads again what it changed: what follows most forms. */
export function saved(text: string, onClose: () => void, ...changed: readonly string[]): void {
  announceResult(text);
  onClose();
  readAgain(...changed);
}
