/**
 * Ctrl+K: goes to a zone or a page by a part of its name.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { Hidden } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { useDebounced } from "../parts/control/use-debounced.ts";
import css from "./go-to.module.css";
import { placesOf, settingsOf } from "./places.ts";

const goToQuery = graphql(`
  query GoTo($text: String!) {
    domains(filter: { zoneContains: $text }, first: 8) {
      nodes { id zone zoneUnicode }
    }
  }
`);

interface Target {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly go: () => void;
}

export function GoTo({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { isAdministrator } = useViewer();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const settled = useDebounced(text.trim());
  const { data } = useQuery({
    queryKey: ["go-to", settled],
    queryFn: ({ signal }) => run(goToQuery, { text: settled }, signal),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
  });
  const go = (to: () => void) => () => {
    onClose();
    to();
  };
  const pages = [...placesOf(isAdministrator), ...settingsOf(isAdministrator)]
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, label }): Target => ({ id: to, label, kind: "page", go: go(() => void navigate({ to })) }));
  const zones = (text.trim() === "" ? [] : (data?.domains?.nodes ?? [])).map(
    ({ id, zone, zoneUnicode }): Target => ({
      id,
      label: zoneUnicode,
      kind: "zone",
      go: go(() => void navigate({ to: "/zones/$zone", params: { zone } })),
    }),
  );
  const targets = [...zones, ...pages];
  const chosen = Math.min(at, targets.length - 1);
  return (
    <Dialog title="Go to" onClose={onClose}>
      <label>
        <Hidden>Zone or page</Hidden>
        <input
          type="search"
          className={css.input}
          placeholder="Zone or page"
          role="combobox"
          aria-expanded="true"
          aria-controls="go-to"
          aria-activedescendant={targets[chosen] && `go-to-${chosen}`}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (step !== 0) setAt((chosen + step + targets.length) % Math.max(1, targets.length));
            else if (event.key === "Enter") targets[chosen]?.go();
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <div id="go-to" role="listbox" aria-label="Zones and pages" className={css.list}>
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as in every combobox
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does the same
          <div
            key={target.id}
            id={`go-to-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={css.option}
            onClick={target.go}
          >
            <span>{target.label}</span>
            <span className={css.kind}>{target.kind}</span>
          </div>
        ))}
        {targets.length === 0 && <p className={css.kind}>No zone and no page has that in its name.</p>}
      </div>
    </Dialog>
  );
}
