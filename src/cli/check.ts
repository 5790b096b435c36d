/** `check`: what is wrong with zones, as the service finds it. */
import { type CommandRow, command } from "./command-rows/command-row.ts";
import { callGraphql, type DataOf, type VariablesOf } from "./service/client.ts";
import { exitCodes } from "./service/failure.ts";
import { Progress } from "./terminal/progress.ts";

export const findingsDocument = `query ($filter: FindingFilter, $after: String) {
  findings(filter: $filter, first: 1000, after: $after) {
    nodes { zone owner type code severity source message at } endCursor } }`;

export const askDocument = `mutation ($zone: String!) { checkServers(input: { by: { zone: $zone } }) { domain { id } } }`;

export const checkRow: CommandRow = command({
  words: "check [zone...]",
  description: "show what is wrong with zones, or seldom meant; without a zone, with all",
  help: `The exit code is ${exitCodes.failed} when there is an error, ${exitCodes.warnings} when there are warnings alone. A label ignore/CODE switches a check off: zonesmith label example.com ignore/PTR_MISSING`,
  options: [
    ["--servers", "ask the parents and name servers of the zones first; the leader does it once a day"],
    ["--severity <severity...>", "only these", (option) => option.choices(["ERROR", "WARNING", "NOTE"])],
    ["--code <code...>", "only these codes"],
  ],
  run: async ({ args, options: { servers, severity: severities, code: codes, json } }, { endpoint }) => {
    if (servers && args.length === 0) throw new Error("Name the zones whose servers are to be asked.");
    for (const zone of servers ? args : []) await callGraphql(endpoint, askDocument, { zone });
    const bar = new Progress();
    const severitiesFound = new Set<string>();
    for (const zone of args.length > 0 ? args : [undefined])
      for (let after: string | null | undefined; after !== null; bar.show("checking zones")) {
        const variables = { filter: { zone, codes, severities }, after } as VariablesOf<typeof findingsDocument>;
        const { findings }: DataOf<typeof findingsDocument> = await callGraphql(endpoint, findingsDocument, variables);
        bar.end();
        for (const finding of findings.nodes) {
          const { owner, type, code, severity, source, message } = finding;
          severitiesFound.add(severity);
          const text = `${severity} ${finding.zone} ${owner} ${type}: ${message} (${code}, ${source})`;
          console.log(json ? JSON.stringify(finding) : text);
        }
        after = findings.endCursor;
      }
    bar.end();
    if (severitiesFound.has("ERROR")) process.exitCode = exitCodes.failed;
    else if (severitiesFound.has("WARNING")) process.exitCode = exitCodes.warnings;
    if (severitiesFound.size === 0 && !json) console.log("Nothing was found.");
  },
});
