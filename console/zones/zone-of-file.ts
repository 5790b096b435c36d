/** New zones: one with the usual records, or with those of a master file, which is checked by a dry run before. */
import { sendRest } from "../api/rest.ts";
import { graphql, RefusedField, run } from "../api/run.ts";
import { exportUrl } from "../api/zone.ts";

export const createZone = graphql(`
  mutation CreateZone($input: CreateDomainInput!) {
    createDomain(input: $input) { domain { id zone zoneUnicode serial } notices { code message } }
  }
`);

interface ZoneOfFile {
  readonly zone: string;
  readonly userId: string;
  readonly body: string;
  readonly note: string;
}

/** Creates the zone, and returns its name. Throws Refused, of `zone` where there is one of this name already. */
export async function zoneOfFile({ zone, userId, body, note }: ZoneOfFile) {
  const importInto = (name: string, query: Readonly<Record<string, string>>) =>
    sendRest(`${exportUrl(name)}?${new URLSearchParams({ mode: "replace", ...query })}`, {
      method: "POST",
      headers: { "Content-Type": "text/dns" },
      body,
    });
  const tried = await importInto(zone, { user_id: userId, dry_run: "yes" });
  if (((await tried.json()) as { readonly serial: number | null }).serial !== null)
    throw new RefusedField("zone", `The zone ${zone} exists already; choose another name.`);
  const { createDomain } = await run(createZone, { input: { zone, userId, note } });
  if (!createDomain) throw new Error("The answer is not complete.");
  const { domain } = createDomain;
  // Whatever else would be replaced than the records that it was created with is refused.
  await importInto(domain.zone, { expected_serial: String(domain.serial) });
  return domain;
}
