/** `template apply`: applies a template to zones that exist. It is shown before it is applied. */
import { type CommandRow, command, draftOption, dryRunOption, yesOption } from "../command-rows/command-row.ts";
import { setOption, valuesOf } from "../command-rows/template-rows.ts";
import { callGraphql } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { templateId } from "../service/identify.ts";
import { applyBulk } from "./change-sets.ts";
import { previewFields } from "./preview.ts";

export const applyTemplateDocument =
  `mutation ($input: ApplyTemplateInput!, $isDry: Boolean!) { applyTemplate(input: $input) {
  changeSet @skip(if: $isDry) { id } preview @include(if: $isDry) { ${previewFields} } } }` as const;

export const applyTemplateRow: CommandRow = command({
  words: "template apply <template>",
  description: "apply a template to zones that there are: add the records that they lack; shown first",
  options: [
    ["--zones <zone...>", "the zones; * is any characters"],
    ["--label <label...>", "the domains with these labels, such as env=prod"],
    setOption,
    ["--replace", "let its RRsets take the place of those of the zones"],
    ["--title <title>", "the title of the change set, and the note of its changes"],
    dryRunOption,
    draftOption,
    yesOption,
  ],
  run: async ({ args: [template = ""], options, refuse }, terminal) => {
    const { zones, label: labels, set = [], replace = false, title, dryRun: isDry = false } = options;
    if (zones === undefined && labels === undefined) refuse("no zones are named; write --zones, --label or both");
    const variables = valuesOf(set);
    const mode: "REPLACE_RRSETS" | "ADD" = replace ? "REPLACE_RRSETS" : "ADD";
    const id = await templateId(terminal.endpoint, template);
    const input = { templateId: id, zones, labels, mode, variables, title, dryRun: isDry };
    const { applyTemplate } = await callGraphql(terminal.endpoint, applyTemplateDocument, { input, isDry });
    const { changeSet, preview } = applyTemplate;
    const sentence = preview ? "Nothing was changed." : "All zones are so already; nothing was changed.";
    await applyBulk(terminal, applyTemplate, options, sentence);
    if (!changeSet && !isDry) process.exitCode = exitCodes.nothingToDo;
  },
});
