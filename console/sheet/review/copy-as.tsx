/** The difference of a review as text to copy, in a form that is chosen. */
import { useState } from "react";
import type { DifferenceLine } from "../../difference/difference.ts";
import { Select } from "../../parts/control/field.tsx";
import look from "../../parts/look.module.css";
import { Copy } from "../../parts/page/copied.tsx";
import type { ChangeInput } from "../records/sheet-service.ts";
import { diffText, graphqlText, nsupdateText, zoneFileText } from "./difference-text.ts";

interface CopyAsProps {
  readonly zone: string;
  readonly lines: readonly DifferenceLine[];
  readonly input: ChangeInput;
}

const forms = {
  diff: ({ lines }: CopyAsProps) => diffText(lines),
  "zone file": ({ lines }: CopyAsProps) => zoneFileText(lines),
  GraphQL: ({ input }: CopyAsProps) => graphqlText(input),
  nsupdate: ({ zone, lines }: CopyAsProps) => nsupdateText(zone, lines),
};
const choices = (Object.keys(forms) as (keyof typeof forms)[]).map((form) => [form, form] as const);

export function CopyAs(props: CopyAsProps) {
  const [form, setForm] = useState<keyof typeof forms>("diff");
  return (
    <p className={look.line}>
      <label>
        Copy as <Select value={form} options={choices} onChange={setForm} />
      </label>
      <Copy text={forms[form](props)} what={form} kind="quiet" />
    </p>
  );
}
