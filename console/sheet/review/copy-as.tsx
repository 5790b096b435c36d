/** The difference of a review as text to copy, in a form that is chosen. */
import { useState } from "react";
import type { DifferenceLine } from "../../difference/difference.ts";
import { Copy } from "../../parts/control/copy.tsx";
import type { ChangeInput } from "../records/sheet-service.ts";
import { diffText, graphqlText, nsupdateText, zoneFileText } from "./difference-text.ts";
import css from "./review.module.css";

interface CopyAsProps {
  readonly zone: string;
  readonly lines: readonly DifferenceLine[];
  readonly input: ChangeInput;
}

const forms = ["diff", "zone file", "GraphQL", "nsupdate"] as const;
type Form = (typeof forms)[number];

export function CopyAs({ zone, lines, input }: CopyAsProps) {
  const [form, setForm] = useState<Form>("diff");
  const text = { diff: diffText, "zone file": zoneFileText, GraphQL: () => graphqlText(input), nsupdate: nsupdate };
  function nsupdate(list: readonly DifferenceLine[]): string {
    return nsupdateText(zone, list);
  }
  return (
    <p className={css.copyAs}>
      <label>
        Copy as{" "}
        <select value={form} onChange={({ currentTarget }) => setForm(currentTarget.value as Form)}>
          {forms.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Copy text={text[form](lines)} what={form} kind="quiet" />
    </p>
  );
}
