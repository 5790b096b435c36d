/** The difference of a review as text to copy, in a form that is chosen. */
import { useState } from "react";
import type { DifferenceLine } from "../../difference/difference.ts";
import { Copy } from "../../parts/control/copy.tsx";
import { Select } from "../../parts/control/field.tsx";
import look from "../../parts/look.module.css";
import type { ChangeInput } from "../records/sheet-service.ts";
import { diffText, graphqlText, nsupdateText, zoneFileText } from "./difference-text.ts";

interface CopyAsProps {
  readonly zone: string;
  readonly lines: readonly DifferenceLine[];
  readonly input: ChangeInput;
}

const forms = ["diff", "zone file", "GraphQL", "nsupdate"] as const;
type Form = (typeof forms)[number];

export function CopyAs({ zone, lines, input }: CopyAsProps) {
  const [form, setForm] = useState<Form>("diff");
  const texts: Record<Form, () => string> = {
    diff: () => diffText(lines),
    "zone file": () => zoneFileText(lines),
    GraphQL: () => graphqlText(input),
    nsupdate: () => nsupdateText(zone, lines),
  };
  return (
    <p className={look.line}>
      <label>
        Copy as <Select value={form} options={forms.map((each) => [each, each])} onChange={setForm} />
      </label>
      <Copy text={texts[form]()} what={form} kind="quiet" />
    </p>
  );
}
