/**
 * What the pages of templates ask of the service.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { TemplateHeadFragment, TemplateQuery, VariableKind } from "../api/generated/graphql.ts";
import { paged } from "../api/pages.ts";
import { run } from "../api/run.ts";

graphql(`
  fragment TemplateHead on ZoneTemplate {
    id name description
    user { id email }
    variables { name kind description default }
  }
`);

const templateList = graphql(`
  query TemplateList($after: String) {
    templates(first: 100, after: $after) {
      nodes { ...TemplateHead }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedTemplate = TemplateHeadFragment;

export const templatesOptions = infiniteQueryOptions({
  queryKey: ["templates"],
  ...paged,
  queryFn: async ({ pageParam, signal }) => (await run(templateList, { after: pageParam }, signal)).templates,
});

const templateQuery = graphql(`
  query Template($id: ID!) {
    template(by: { id: $id }) {
      ...TemplateHead
      revision
      records { owner type ttl rdata }
    }
  }
`);

export type ShownTemplate = NonNullable<TemplateQuery["template"]>;

export const templateOptions = (id: string) =>
  queryOptions({
    queryKey: ["template", id],
    queryFn: async ({ signal }) => (await run(templateQuery, { id }, signal)).template as ShownTemplate,
  });

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
