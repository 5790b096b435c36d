/** The keys of the keyboard, and the switch for those of a single letter. */
import { useState } from "react";
import { Dialog } from "../parts/control/dialog.tsx";
import { Choice } from "../parts/control/field.tsx";
import { letSingleKeysWork, singleKeysWork } from "../parts/control/keyboard.ts";
import look from "../parts/look.module.css";
import css from "./help.module.css";
import { places } from "./places.ts";

/** The keys of each place; several for the same are separated by commas. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Everywhere: {
    "?": "this list",
    "Ctrl K": "search or go to",
    "/": "filter",
    ...Object.fromEntries(places.map(({ letter, label }) => [`g ${letter}`, label.toLowerCase()])),
    Esc: "back, close",
  },
  "In the sheet of a zone": {
    "↑ ↓ ← →": "to another cell",
    "Enter, F2": "edit; any letter or digit replaces",
    Enter: "while writing, the row below",
    Tab: "while writing, the next cell; else out of the table",
    "Space, Shift ↑ ↓": "select rows",
    "Ctrl A": "select all rows; in the filter its text, then the rows",
    "Alt N, Insert": "new record, in the grid of the same name; again for another name",
    n: "new record, where neither the grid nor a field has the focus",
    "Ctrl D": "new record that begins as a copy",
    "Alt Enter": "form",
    Delete: "remove",
    "Ctrl Z, Ctrl Shift Z": "undo, redo",
    "Ctrl C, Ctrl V": "copy, paste: lines of records, a table, a master file, or values",
    "Ctrl Enter": "review, then apply",
    Esc: "take the cell back, deselect, clear the filter",
  },
  "In a new record": {
    Space: "after the name and the type, on to what comes next; a whole line can be typed",
    Enter: "add it, and go on with the next one; Enter again adds one that is wrong",
    "Shift Enter": "add it, and go back to the name",
    "Ctrl Enter": "add it, and review",
    "↓": "to the grid",
    Esc: "empty the data; again to close",
  },
  "In the history of a zone": {
    "←, →": "one change older or newer",
    "Shift ←, Shift →": "a day older or newer",
    "Home, End": "the oldest and the newest",
  },
};

export function Help({ onClose }: { readonly onClose: () => void }) {
  const [single, setSingle] = useState(singleKeysWork);
  return (
    <Dialog title="Keys of the keyboard" onClose={onClose} width="wide">
      <div className={css.groups}>
        {Object.entries(groups).map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className={css.keys}>
              {Object.entries(keys).map(([key, what]) => (
                <div key={key}>
                  <dt className={`${look.line} ${look.close}`}>
                    {key.split(", ").map((each) => (
                      <kbd key={each}>{each}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Choice
        label="Keys of a single letter work"
        hint="Switch them off where speech or another tool types letters by itself. In the cells of a sheet that may be edited, letters are text. On a Mac, Cmd counts as Ctrl and Option as Alt."
        checked={single}
        onChange={(work) => {
          letSingleKeysWork(work);
          setSingle(work);
        }}
      />
    </Dialog>
  );
}
