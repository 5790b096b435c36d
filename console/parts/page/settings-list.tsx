/**
 * A page of Settings that lists something: one button for a new one, the form of it or what it made above the list, and what can be done
 * with a row on hover and at the focus. On a phone a row opens.
 */
import { Fragment, type ReactNode, useState } from "react";
import { nodesOf } from "../../api/pages.ts";
import { useViewer } from "../../api/viewer.ts";
import { Button, IconButton } from "../control/button.tsx";
import look from "../look.module.css";
import { List, type ListProps } from "./list.tsx";
import { Empty, Page } from "./page.tsx";
import css from "./settings-list.module.css";
import table from "./table.module.css";

interface SettingsListProps<Row> extends Pick<ListProps<Row>, "query" | "what" | "headings"> {
  readonly title: string;
  /** What the list says where it has no row; its title, and what the rows are for. */
  readonly none: string;
  readonly about: ReactNode;
  /** In place of the button of a new one, where there is no row. */
  readonly noneAction?: ReactNode | undefined;
  /** The words of the button of a new one, which opens the form. */
  readonly add?: string;
  readonly onAdd?: () => void;
  /** The form of a new one, while it is open, and then what it made. */
  readonly form?: ReactNode;
  /** What finds rows. */
  readonly filter?: ReactNode;
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** The cells of a row; a phone shows the first three of one that is not open. */
  readonly cells: (row: Row) => ReactNode;
  /** What can be done with a row, by a key that may write. */
  readonly actions?: (row: Row) => ReactNode;
  readonly isFaint?: (row: Row) => boolean;
  readonly children?: ReactNode;
}

export function SettingsList<Row>(props: SettingsListProps<Row>) {
  const { title, add, onAdd, form, keyOf, nameOf, cells, actions, isFaint = () => false } = props;
  const { readOnly } = useViewer();
  const [opened, setOpened] = useState<string>();
  // Each press opens a new form, also where the secret of the one before is still shown.
  const [round, setRound] = useState(0);
  const button = add && !readOnly && (
    <Button
      kind="primary"
      icon="plus"
      onClick={() => {
        setRound(round + 1);
        onAdd?.();
      }}
    >
      {add}
    </Button>
  );
  return (
    <Page title={title} actions={nodesOf(props.query).length > 0 && button}>
      <Fragment key={round}>{!readOnly && form}</Fragment>
      {props.filter}
      <List
        query={props.query}
        what={props.what}
        label={title}
        headings={props.headings}
        hasActions
        empty={
          <Empty title={props.none} action={props.noneAction ?? button}>
            {props.about}
          </Empty>
        }
        row={(row) => {
          const key = keyOf(row);
          const isOpen = opened === key;
          return (
            <tr key={key} className={`${css.row} ${isOpen ? css.open : ""} ${isFaint(row) ? look.soft : ""}`}>
              {cells(row)}
              <td className={`${table.end} ${look.onHover} ${css.actions}`}>
                {!readOnly && actions?.(row)}
                <span className={css.opener}>
                  <IconButton
                    icon="down"
                    label={`More about ${nameOf(row)}`}
                    aria-expanded={isOpen}
                    onClick={() => setOpened(isOpen ? undefined : key)}
                  />
                </span>
              </td>
            </tr>
          );
        }}
      />
      {props.children}
    </Page>
  );
}
