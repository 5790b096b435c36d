/** The fields of a record, each with what is wrong with it. What is refused stays in the form. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Field, Reasons } from "./field";
import type { Reason } from "./refusal";

/** What a record is made of; without a TTL it gets that of its RRset, or the default. */
export interface Values {
  readonly owner: string;
  readonly type: string;
  readonly rdata: string;
  readonly ttl?: number;
}

/** A type to choose, with an example of its data. */
export interface RecordType {
  readonly type: string;
  readonly example: string;
  readonly description: string;
}

interface FormProps {
  readonly types: readonly RecordType[];
  readonly submit: string;
  /** The record to edit. */
  readonly initial?: Values;
  /** Returns why the values are refused; nothing when they are accepted. */
  readonly onSubmit: (values: Values) => Promise<readonly Reason[]>;
  readonly onCancel?: () => void;
}

const names = ["owner", "ttl", "type", "rdata"];
const focus = (form: HTMLFormElement | null, selector: string) => form?.querySelector<HTMLElement>(selector)?.focus();

export function RecordForm({ types, submit, initial, onSubmit, onCancel }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [type, setType] = useState(initial?.type ?? "A");
  const [reasons, setReasons] = useState<readonly Reason[]>([]);
  const [isSent, setSent] = useState(false);
  const isEdit = initial !== undefined;
  useEffect(() => {
    if (isEdit) focus(form.current, "[name=rdata]");
  }, [isEdit]);
  useEffect(() => {
    if (reasons.length > 0) focus(form.current, "[aria-invalid=true]");
  }, [reasons]);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const [owner = "", ttl, type = "", rdata = ""] = names.map((name) => String(entered.get(name)).trim());
    setSent(true);
    setReasons([]);
    const refused = await onSubmit({ owner, type, rdata, ...(ttl && { ttl: Number(ttl) }) });
    setSent(false);
    setReasons(refused);
    if (refused.length > 0 || isEdit) return;
    form.current?.reset();
    setType("A");
    focus(form.current, "input");
  };
  const field = (label: string, name: string) => ({
    label,
    name,
    reasons: reasons.filter((reason) => reason.field === name),
    defaultValue: initial?.[name as keyof Values],
  });
  return (
    <form
      ref={form}
      className="record"
      onSubmit={send}
      onChange={({ currentTarget }) => setType(String(new FormData(currentTarget).get("type")))}
      onKeyDown={({ key }: KeyboardEvent) => key === "Escape" && onCancel?.()}
    >
      <Field {...field("Owner", "owner")} placeholder="www or @" required />
      <Field {...field("TTL", "ttl")} type="number" min={0} placeholder="default" />
      <Field {...field("Type", "type")}>
        {types.map(({ type, description }) => (
          <option key={type} title={description}>
            {type}
          </option>
        ))}
      </Field>
      <Field {...field("Data", "rdata")} placeholder={types.find((each) => each.type === type)?.example} required />
      <div className="buttons">
        <button type="submit" className="primary" disabled={isSent}>
          {submit}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
      <Reasons reasons={reasons.filter(({ field }) => !names.includes(field ?? ""))} />
    </form>
  );
}
