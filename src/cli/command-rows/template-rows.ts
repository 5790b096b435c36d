/**
 * The commands for templates of zones.
 */
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { callGraphql, type Endpoint } from "../service/client.ts";
import { userId } from "../service/identify.ts";
import type { Column } from "../terminal/print.ts";
import type { CommandRow } from "./command-row.ts";

const templateFields =
  "id name description revision user { email } variables { name kind description default } records { owner type ttl rdata }";

interface Variable {
  readonly name: string;
  readonly kind: string;
  readonly default: string | null;
}

interface RecordText {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly rdata: string;
}

const templateColumns: readonly Column[] = [
  ["name", "name"],
  ["user", "user.email"],
  ["revision", "revision"],
  ["description", "description"],
];

const allTemplateColumns: readonly Column[] = [
  ...templateColumns,
  [
    "variables",
    "variables",
    (variable) => {
      const { name, kind, default: value } = variable as Variable;
      return value === null ? `${name} (${kind})` : `${name} (${kind}) ${value}`;
    },
  ],
  [
    "records",
    "records",
    (record) => {
      const { owner, type, ttl, rdata } = record as RecordText;
      return [owner, ...(ttl === null ? [] : [ttl]), type, rdata].join(" ");
    },
  ],
  ["id", "id"],
];

export const templateDocument = "query ($name: String!) { template(by: { name: $name }) { id } }";

const isId = (template: string) => /^\d{16}$/.test(template);

/** The selector by which the service finds a template: an id, or a name. */
const selectTemplate = (template: string) => ({ by: isId(template) ? { id: template } : { name: template } });

/** The id of a template that is named by its id or its name. */
export async function templateId(endpoint: Endpoint, template: string): Promise<string> {
  if (isId(template)) return template;
  const data = await callGraphql<{ template: { id: string } }>(endpoint, templateDocument, { name: template });
  return data.template.id;
}

/** The values of variables, from `name=value`. */
export const valuesOf = (given: unknown) =>
  [given ?? []].flat().map((each) => {
    const [name, ...value] = String(each).split("=");
    if (value.length > 0) return { name, value: value.join("=") };
    throw new Error(`--set: "${each}" gives no value; write ${each}=value.`);
  });

/** The fields of a template that a file has, in JSON; `-` is standard input. */
async function templateIn(file: string): Promise<object> {
  const json = file === "-" ? await text(process.stdin) : readFileSync(file, "utf8");
  try {
    const { name, description, variables, records } = JSON.parse(json);
    return { name, description, variables, records };
  } catch {
    throw new Error(`${file} is not JSON; write {"name": …, "variables": […], "records": […]}.`);
  }
}

/** A template in the form that `template add` reads, for its help. */
const example = `A template in JSON; variables, their defaults, and ttl may be left out:
  {
    "name": "web",
    "variables": [{ "name": "address", "kind": "IPV4", "default": "192.0.2.1" }],
    "records": [
      { "owner": "@", "type": "A", "rdata": "\${address}" },
      { "owner": "www", "type": "CNAME", "ttl": 300, "rdata": "@" }
    ]
  }
`;

export const templateRows: readonly CommandRow[] = [
  {
    words: "template list",
    description: "list the templates of zones, one's own and the shared ones",
    document: `query ($after: String) { templates(first: 100, after: $after) {
      nodes { ${templateFields} } pageInfo { hasNextPage endCursor } } }`,
    result: "templates.nodes",
    columns: templateColumns,
  },
  {
    words: "template show <template>",
    description: "show a template, which is named by name or id; with --json in the form that add reads",
    document: `query ($by: NameSelector!) { template(by: $by) { ${templateFields} } }`,
    variables: ({ args: [template = ""] }) => selectTemplate(template),
    result: "template",
    columns: allTemplateColumns,
  },
  {
    words: "template add <file>",
    description: "create a template from a file in JSON (- is standard input); without --user it is shared",
    options: [["--user <user>", "the user whose template it is, by e-mail address or id"]],
    help: example,
    document: `mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { notices { message } template { ${templateFields} } } }`,
    variables: async ({ args: [file = ""], options: { user } }, endpoint) => ({
      input: { ...(await templateIn(file)), ...(user && { userId: await userId(endpoint, String(user)) }) },
    }),
    result: "createTemplate.template",
    columns: allTemplateColumns,
  },
  {
    words: "template change <template> <file>",
    description: "give a template the content of a file in JSON (- is standard input); its zones stay as they are",
    help: example,
    document: `mutation ($input: UpdateTemplateInput!) { updateTemplate(input: $input) { notices { message } template { ${templateFields} } } }`,
    variables: async ({ args: [template = "", file = ""] }) => ({
      input: { ...selectTemplate(template), ...(await templateIn(file)) },
    }),
    result: "updateTemplate.template",
    columns: allTemplateColumns,
  },
  {
    words: "template remove <template>",
    description: "delete a template; its zones stay",
    document: "mutation ($input: DeleteTemplateInput!) { deleteTemplate(input: $input) { deletedId } }",
    variables: ({ args: [template = ""] }) => ({ input: selectTemplate(template) }),
    result: "deleteTemplate",
    columns: [],
    text: (_row, { args: [template] }) => `${template} is deleted.`,
  },
];
