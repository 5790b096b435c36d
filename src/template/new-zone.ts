/** The initial records of a new domain with a template: the requested one, or DEFAULT_TEMPLATE. */
import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { readZone } from "../zone/domain.ts";
import type { NewDomain } from "../zone/lifecycle/domain-lifecycle.ts";
import { expandTemplate, fieldsOfValues, type GivenValue, valuesOf } from "./expand.ts";
import { sharedTemplate, type TemplateRow, templateById } from "./template.ts";

export interface TemplateOfDomain {
  readonly template: number | undefined;
  readonly variables: readonly GivenValue[];
}

/** Returns what a template gives a new domain; nothing when there is no template. */
export async function newZoneOf(
  session: Session,
  zone: string,
  { template: id, variables: given }: TemplateOfDomain,
): Promise<Pick<NewDomain, "records" | "template">> {
  const template = await templateOf(session, id);
  if (!template) {
    if (given.length === 0) return {};
    throw new Refusal("INVALID_VALUE", "variables: send them with a template.", { field: "variables" });
  }
  const values = valuesOf(template, given);
  const fieldOf = fieldsOfValues(given);
  const records = expandTemplate(template, values, { zone: readZone(zone), policy: session.policy, fieldOf });
  const { id: templateId, revision } = template;
  return { records, template: { templateId, revision, values: Object.fromEntries(values) } };
}

async function templateOf(session: Session, id: number | undefined): Promise<TemplateRow | undefined> {
  if (id !== undefined) return templateById(session, id, "templateId");
  const { defaultTemplate } = session.policy;
  return defaultTemplate ? sharedTemplate(session, defaultTemplate) : undefined;
}
