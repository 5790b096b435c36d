/**
 * The labels that the list of zones is filtered by: all of them must match.
 */
import { useState } from "react";
import { IconButton } from "../parts/control/button.tsx";
import page from "../parts/page/page.module.css";
import { labelsOf, labelText } from "./label-text.ts";

interface LabelFilterProps {
  /** As they are in the address, such as `env=prod team`. */
  readonly value: string | undefined;
  readonly onChange: (labels: string | undefined) => void;
}

export function LabelFilter({ value = "", onChange }: LabelFilterProps) {
  const [text, setText] = useState("");
  const chosen = labelsOf(value).map(labelText);
  const choose = (labels: readonly string[]) => onChange([...new Set(labels)].join(" ") || undefined);
  return (
    <>
      {chosen.map((each) => (
        <span key={each} className={page.chosen}>
          {each}
          <IconButton
            icon="close"
            label={`Also zones without ${each}`}
            onClick={() => choose(chosen.filter((other) => other !== each))}
          />
        </span>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose([...chosen, ...labelsOf(text).map(labelText)]);
          setText("");
        }}
      >
        <label className={page.named}>
          <span>Label</span>
          <input
            placeholder="any, or env=prod"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      </form>
    </>
  );
}
