/** The parameters of queries and the fields of bodies, as the reference (openapi.ts) has them. */
import type { Schema } from "./bodies.ts";
import type { Parameter } from "./route-form.ts";

export const text = (name: string, description: string, more: Schema = {}): Parameter => ({
  name,
  schema: { type: "string", ...more },
  description,
});
export const required = (parameter: Parameter): Parameter => ({ ...parameter, isRequired: true });
export const yes = (name: string, description: string) => text(name, description, { enum: ["yes", "no"] });

export const idText: Schema = { type: "string", pattern: "^[0-9]{1,16}$" };
export const paging: readonly Parameter[] = [
  {
    name: "limit",
    schema: { type: "integer", minimum: 1, maximum: 1000 },
    description: "Rows of a page; without it and without `cursor` the whole list comes.",
  },
  text("cursor", "Where the page begins: that of the `Link` header of the page before."),
];
export const ofUser = text("user_id", "Only what belongs to the user of this id.", idText);
export const zone = required(text("zone", "Zone name in any spelling."));

/** Parameters of the paths that show the past of a zone: which of the zones that had a name, and which moment of it. */
export const idOfZone = text("id", "The zone of the name that has or had this id, also a deleted one.", idText);

export const moment =
  "a serial, the id of a change, or a time (RFC 3339); HISTORY_GONE when the journal does not go back so far.";
