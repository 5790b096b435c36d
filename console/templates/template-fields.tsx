/**
 * The template that a new zone is made from, and the values of its variables.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Field, TextInput } from "../parts/field.tsx";
import { kindWords, templatesOptions } from "./queries.ts";

/** What is chosen, from the template with an id at first. */
export function useTemplateChoice(first = "") {
  const templates = useInfiniteQuery(templatesOptions).data?.pages.flatMap((page) => page?.nodes ?? []) ?? [];
  const [id, choose] = useState(first);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const chosen = templates.find((template) => template.id === id);
  const variables = (chosen?.variables ?? [])
    .map(({ name }) => ({ name, value: (values[name] ?? "").trim() }))
    .filter(({ value }) => value !== "");
  return {
    templates,
    chosen,
    choose,
    values,
    set: (name: string, value: string) => setValues((before) => ({ ...before, [name]: value })),
    /** The part of the input that says it; nothing without a template. */
    input: id === "" ? {} : { template: id, variables },
    /** The field of the value of a variable, as refusals name it. */
    fieldOf: (name: string) => `variables.${variables.findIndex((each) => each.name === name)}.value`,
  };
}

interface TemplateFieldsProps {
  readonly choice: ReturnType<typeof useTemplateChoice>;
  readonly error: (field: string) => string | undefined;
}

export function TemplateFields({ choice, error }: TemplateFieldsProps) {
  const { templates, chosen, choose, values, set, fieldOf } = choice;
  if (templates.length === 0) return null;
  return (
    <>
      <Field label="Template" error={error("template")} hint={chosen?.description}>
        <select value={chosen?.id ?? ""} onChange={(event) => choose(event.target.value)}>
          <option value="">the usual records</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {chosen?.variables.map(({ name, kind, description, default: usual }) => (
        <Field
          key={name}
          label={name}
          error={error(fieldOf(name))?.replace(`${fieldOf(name)}: `, "")}
          hint={[description, usual === null ? kindWords[kind] : `${kindWords[kind]}; empty for ${usual}`]
            .filter(Boolean)
            .join(" · ")}
        >
          <TextInput required={usual === null} value={values[name] ?? ""} onChange={(value) => set(name, value)} />
        </Field>
      ))}
    </>
  );
}
