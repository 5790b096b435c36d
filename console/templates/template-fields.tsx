/** What is read of templates; and the template that a new zone is made from, with the values of its variables. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { TemplateHeadFragment, TemplateQuery, VariableKind } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { listOptions, readOptions } from "../api/queries.ts";
import { Field, Select, TextInput } from "../parts/control/field.tsx";

type Variables = ListedTemplate["variables"];

export function useValues(variables: Variables) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const written = variables
    .map(({ name }) => ({ name, value: (values[name] ?? "").trim() }))
    .filter(({ value }) => value !== "");
  return {
    values,
    written,
    set: (name: string, value: string) => setValues((before) => ({ ...before, [name]: value })),
    /** The field of the value of a variable, as refusals name it. */
    fieldOf: (name: string) => `variables.${written.findIndex((each) => each.name === name)}.value`,
  };
}

/** What is chosen, from the template with an id at first. */
export function useTemplateChoice(first = "") {
  const templates = nodesOf(useInfiniteQuery(templatesOptions));
  const [id, choose] = useState(first);
  const chosen = templates.find((template) => template.id === id);
  const values = useValues(chosen?.variables ?? []);
  return {
    templates,
    chosen,
    choose,
    values,
    /** The part of the input that says it; nothing without a template. */
    input: id === "" ? {} : { templateId: id, variables: values.written },
    fieldOf: values.fieldOf,
  };
}

interface TemplateFieldsProps {
  readonly choice: ReturnType<typeof useTemplateChoice>;
  readonly error: (field: string) => string | undefined;
}

export function TemplateFields({ choice, error }: TemplateFieldsProps) {
  const { templates, chosen, choose, values } = choice;
  if (templates.length === 0) return null;
  return (
    <>
      <Field label="Template" error={error("templateId")} hint={chosen?.description}>
        <Select
          value={chosen?.id ?? ""}
          options={[["", "the usual records"], ...templates.map(({ id, name }) => [id, name] as const)]}
          onChange={choose}
        />
      </Field>
      {chosen && <ValueFields variables={chosen.variables} values={values} error={error} />}
    </>
  );
}

interface ValueFieldsProps {
  readonly variables: Variables;
  readonly values: ReturnType<typeof useValues>;
  readonly error: (field: string) => string | undefined;
}

export function ValueFields({ variables, values: { values, set, fieldOf }, error }: ValueFieldsProps) {
  return (
    <>
      {variables.map(({ name, kind, description, default: usual }) => (
        <Field
          key={name}
          label={name}
          error={error(fieldOf(name))}
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

graphql(`
  fragment TemplateHead on ZoneTemplate {
    id name description
    user { id email }
    variables { name kind description default }
  }
`);

const templateList = graphql(`
  query TemplateList($after: String) {
    templates(first: 100, after: $after) { nodes { ...TemplateHead } pageInfo { hasNextPage endCursor } }
  }
`);

type ListedTemplate = TemplateHeadFragment;

export const templatesOptions = listOptions(["templates"], templateList, {}, ({ templates }) => templates);

const templateQuery = graphql(`
  query Template($id: ID!) { template(by: { id: $id }) { ...TemplateHead revision records { owner type ttl rdata } } }
`);

export type ShownTemplate = NonNullable<TemplateQuery["template"]>;

export const templateOptions = (id: string) =>
  readOptions(["template", id], templateQuery, { id }, ({ template }) => template as ShownTemplate);

export const kindWords: Readonly<Record<VariableKind, string>> = {
  IPV4: "IPv4 address",
  IPV6: "IPv6 address",
  NAME: "name",
  TEXT: "text",
  INTEGER: "number",
};

/** What is said in place of the default of a variable without one. */
export const noDefault = "none: asked for";

/** How a variable is written into a record. */
export const placeholder = (name: string) => `\${${name}}`;
