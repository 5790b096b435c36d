/** Checks a template when it is saved: with sample values in a sample zone, its records must obey the rules of zones. */
import { onRefusal, type Reason, Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { Notice, WithNotices } from "../zone/edit/notice.ts";
import { checkZone } from "../zone/lifecycle/domain-lifecycle.ts";
import { builtIns, type ExpandedRecord, expandTemplate, piecesOf, type TemplateContent } from "./expand.ts";
import { namesIn } from "./placeholder.ts";
import { sampleValues } from "./variable.ts";

/** The zone in which templates are checked (RFC 2606). */
const sampleZone = "template.example";

export const maxVariables = 50;
export const maxRecords = 200;

/** Throws when the content does not give a valid zone. Returns a notice for each variable that no record uses. */
export async function checkContent(session: Session, content: TemplateContent): Promise<WithNotices> {
  const { variables, records } = content;
  if (variables.length > maxVariables) throw refused("variables", `write at most ${maxVariables}`);
  if (records.length > maxRecords) throw refused("records", `write at most ${maxRecords}`);
  for (const [at, { name }] of variables.entries()) {
    const field = `variables.${at}.name`;
    if (!/^[a-zA-Z][a-zA-Z0-9_]{0,62}$/.test(name)) throw refused(field, "write letters, digits and _, a letter first");
    if (builtIns.includes(name)) throw refused(field, `${name} is a variable of every template; choose another name`);
    if (variables.some((other, before) => before < at && other.name === name))
      throw refused(field, `${name} is written twice; write it once`);
  }
  const values = new Map(variables.map((each) => [each.name, each.default ?? sampleValues[each.kind]]));
  const position = new Map(variables.map(({ name }, at) => [name, at]));
  const fieldOf = (name: string) => `variables.${position.get(name)}.default`;
  const expanded = expandTemplate(content, values, { zone: sampleZone, policy: session.policy, fieldOf });
  await withTemplateFields(expanded, () => checkZone(session, sampleZone, expanded));
  return { notices: unusedIn(content) };
}

function unusedIn({ variables, records }: TemplateContent): Notice[] {
  const used = new Set(
    records.flatMap(({ owner, rdata }, at) => [
      ...namesIn(piecesOf(owner, at, "owner")),
      ...namesIn(piecesOf(rdata, at, "rdata")),
    ]),
  );
  return [...variables.entries()]
    .filter(([, { name }]) => !used.has(name))
    .map(([at, { name }]) => ({
      code: "UNUSED_VARIABLE",
      message: `No record uses the variable ${name}.`,
      field: `variables.${at}.name`,
    }));
}

/** Runs the check of a zone; a refusal names the records of the template in place of those of the zone. */
function withTemplateFields(expanded: readonly ExpandedRecord[], check: () => Promise<unknown>): Promise<unknown> {
  return onRefusal(check, ({ reasons, details }) => {
    const named = (text: string | undefined) => {
      const [, at, rest = ""] = /^add\.(\d+)(.*)$/.exec(text ?? "") ?? [];
      const record = at === undefined ? undefined : expanded[Number(at)]?.at;
      return record === undefined ? undefined : `records.${record}${rest}`;
    };
    const about = ({ field, edits: _, message, ...reason }: Reason): Reason => {
      const name = named(field);
      return {
        ...reason,
        message: message.replaceAll(field ?? "\0", name ?? "the data"),
        ...(name && { field: name }),
      };
    };
    throw Refusal.of(reasons.map(about), details);
  });
}

const refused = (field: string, advice: string) => new Refusal("INVALID_VALUE", `${field}: ${advice}.`, { field });
