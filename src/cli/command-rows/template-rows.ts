/** The commands for templates of zones; changes/apply-template.ts has `template apply`. */
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { DataOf } from "../service/client.ts";
import { selectTemplate, userId } from "../service/identify.ts";
import { columns } from "../terminal/print.ts";
import { type CommandRow, list, mutation, operation } from "./command-row.ts";

const templateFields =
  "id name description revision user { email } variables { name kind description default } records { owner type ttl rdata }";

const templateColumns = columns("name, user: user.email, revision, description");

export const shownTemplateDocument = `query ($by: NameSelector!) { template(by: $by) { ${templateFields} } }` as const;
type Template = DataOf<typeof shownTemplateDocument>["template"];

const variableText = ({ name, kind, default: value }: Template["variables"][number]) =>
  value === null ? `${name} (${kind})` : `${name} (${kind}) ${value}`;

const recordText = ({ owner, type, ttl, rdata }: Template["records"][number]) =>
  [owner, ...(ttl === null ? [] : [ttl]), type, rdata].join(" ");

const allTemplateColumns = [
  ...templateColumns,
  ...columns("variables, records, id", { variables: variableText, records: recordText }),
];

export const setOption = ["--set <name=value...>", "values of the template's variables"] as const;

/** The values of variables, from `name=value`; throws a sentence for any other text. */
export const valuesOf = (given: readonly string[]) =>
  given.map((each) => {
    const [name = "", ...value] = each.split("=");
    if (value.length > 0) return { name, value: value.join("=") };
    throw new Error(`--set: "${each}" gives no value; write ${each}=value.`);
  });

/** Reads a template in JSON from a file, or from standard input for `-`. */
async function templateIn(file: string): Promise<object> {
  const json = file === "-" ? await text(process.stdin) : readFileSync(file, "utf8");
  try {
    const { name, description, variables, records } = JSON.parse(json);
    return { name, description, variables, records };
  } catch {
    throw new Error(`${file} is not JSON; write {"name": …, "variables": […], "records": […]}.`);
  }
}

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
    ...list("templates", templateFields, 100),
    columns: templateColumns,
  },
  {
    words: "template show <template>",
    description: "show a template, which is named by name or id; with --json in the form that add reads",
    document: shownTemplateDocument,
    variables: ({ args: [template = ""] }) => selectTemplate(template),
    result: "template",
    columns: allTemplateColumns,
  },
  operation({
    words: "template add <file>",
    description: "create a template from a file in JSON (- is standard input); without --user it is shared",
    options: [["--user <user>", "the user whose template it is, by e-mail address or id"]],
    help: example,
    ...mutation("createTemplate", `notices { message } template { ${templateFields} }`, "template"),
    variables: async ({ args: [file = ""], options: { user } }, endpoint) => ({
      input: { ...(await templateIn(file)), userId: user ? await userId(endpoint, user) : undefined },
    }),
    columns: allTemplateColumns,
  }),
  {
    words: "template change <template> <file>",
    description: "give a template the content of a file in JSON (- is standard input); its zones stay as they are",
    help: example,
    ...mutation("updateTemplate", `notices { message } template { ${templateFields} }`, "template"),
    variables: async ({ args: [template = "", file = ""] }) => ({
      input: { ...selectTemplate(template), ...(await templateIn(file)) },
    }),
    columns: allTemplateColumns,
  },
  {
    words: "template remove <template>",
    description: "delete a template; its zones stay",
    ...mutation("deleteTemplate", "deletedId"),
    variables: ({ args: [template = ""] }) => ({ input: selectTemplate(template) }),
    text: (_row, { args: [template] }) => `${template} is deleted.`,
  },
];
