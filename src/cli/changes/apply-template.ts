/**
 * `template apply`: a template in zones that there are, shown before it is applied.
 */
import type { Command } from "commander";
import { templateId } from "../command-rows/template-rows.ts";
import { callGraphql } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { print } from "../terminal/print.ts";
import { applyDraft } from "./apply-draft.ts";
import { type Preview, previewFields, printPreview, type Terminal } from "./preview.ts";

export const applyTemplateDocument =
  "mutation ($input: ApplyTemplateInput!) { applyTemplate(input: $input) { changeSet { id } } }";
export const dryApplyTemplateDocument = `mutation ($input: ApplyTemplateInput!) { applyTemplate(input: $input) { preview { ${previewFields} } } }`;

interface Options {
  readonly zones?: readonly string[];
  readonly label?: readonly string[];
  readonly set?: readonly string[];
  readonly replace?: boolean;
  readonly title?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the command to its group. */
export function applyTemplateCommand(group: Command, terminal: Terminal): void {
  group
    .command("apply <template>")
    .description("apply a template to zones that there are: add the records that they lack; shown first")
    .option("--zones <zone...>", "the zones; * is any characters")
    .option("--label <label...>", "the domains with these labels, such as env=prod")
    .option("--set <name=value...>", "values of its variables")
    .option("--replace", "let its RRsets take the place of those of the zones")
    .option("--title <title>", "the title of the change set, and the note of its changes")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--draft", "leave it as a change set, to be reviewed or applied later")
    .option("--yes", "do not ask whether it is meant")
    .action((template: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (options.zones === undefined && options.label === undefined)
        command.error("error: no zones are named; write --zones, --label or both", { exitCode: 2 });
      return run(terminal, template, options);
    });
}

async function run(terminal: Terminal, template: string, options: Options): Promise<void> {
  const { zones, label, set = [], replace = false, title, json = false } = options;
  const variables = set.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new Error(`--set: "${text}" has no value; write name=value.`);
    return { name, value };
  });
  const mode = replace ? "REPLACE_RRSETS" : "ADD";
  const id = await templateId(terminal.endpoint(), template);
  const input = { templateId: id, zones, labels: label, mode, variables, ...(title !== undefined && { title }) };
  const nothing = "All zones are so already; nothing was changed.";
  if (options.dryRun) {
    const { applyTemplate: dry } = await callGraphql<{ applyTemplate: { preview: Preview | null } }>(
      terminal.endpoint(),
      dryApplyTemplateDocument,
      { input: { ...input, dryRun: true } },
    );
    if (dry.preview && !json) printPreview(dry.preview, terminal);
    return print(json, dry, dry.preview ? "Nothing was changed." : nothing);
  }
  const { applyTemplate } = await callGraphql<{ applyTemplate: { changeSet: { id: string } | null } }>(
    terminal.endpoint(),
    applyTemplateDocument,
    { input },
  );
  const { changeSet } = applyTemplate;
  if (changeSet) return applyDraft(terminal, changeSet.id, options);
  print(json, applyTemplate, nothing);
  process.exitCode = exitCodes.nothingToDo;
}
