/**
 * A page of Settings that lists something: one button for a new one, the form of it or what it made above the list, and what can be done
 * with a row on hover and at the focus. On a phone a row opens.
 */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, type ReactNode, useState } from "react";
import { nodesOf } from "../../api/pages.ts";
import { useViewer } from "../../api/viewer.ts";
import { Button, IconButton } from "../control/button.tsx";
import look from "../look.module.css";
import { List, type ListProps } from "./list.tsx";
import { Empty, Page } from "./page.tsx";
import css from "./settings-list.module.css";

export interface SettingsListProps<Row> extends Pick<ListProps<Row>, "query" | "columns"> {
  readonly title: string;
  /** What one is called, also in an address that opens the form of a new one. */
  readonly noun: "key" | "template" | "user" | "webhook" | "zone";
  /** What the list says where it has no row; its title, and what the rows are for. */
  readonly none: string;
  readonly about: ReactNode;
  /** In place of the button of a new one, where there is no row. */
  readonly noneAction?: ReactNode | undefined;
  /** The form of a new one, and then what it made. */
  readonly form?: (close: () => void) => ReactNode;
  /** What the button of a new one does in place of opening the form. */
  readonly onAdd?: () => void;
  readonly filter?: ReactNode;
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** What can be done with a row, by a key that may write. */
  readonly actions?: (row: Row) => ReactNode;
  readonly isFaint?: (row: Row) => boolean;
  readonly children?: ReactNode;
}

/** A phone shows the first three cells of a row that is not open. */
export function SettingsList<Row>(props: SettingsListProps<Row>) {
  const { title, noun, form, keyOf, nameOf, actions, isFaint = () => false } = props;
  const { readOnly } = useViewer();
  const navigate = useNavigate();
  const { new: added } = useSearch({ strict: false });
  const [opened, setOpened] = useState<string>();
  // Each press opens a new form, also where the secret of the one before is still shown.
  const [round, setRound] = useState(0);
  const open = () => {
    setRound(round + 1);
    void navigate({ to: ".", search: { new: noun } });
  };
  const close = () => void navigate({ to: ".", search: {}, replace: true });
  const { onAdd = form && open } = props;
  const button = onAdd && !readOnly && (
    <Button kind="primary" icon="plus" onClick={onAdd}>
      New {noun}
    </Button>
  );
  return (
    <Page title={title} actions={nodesOf(props.query).length > 0 && button}>
      <Fragment key={round}>{added && !readOnly && form?.(close)}</Fragment>
      {props.filter}
      <List
        query={props.query}
        what={`${noun}s`}
        label={title}
        columns={props.columns}
        keyOf={keyOf}
        rowClass={(row) => `${css.row} ${opened === keyOf(row) ? css.open : ""} ${isFaint(row) ? look.soft : ""}`}
        actionsClass={css.actions}
        empty={
          <Empty title={props.none} action={props.noneAction ?? button}>
            {props.about}
          </Empty>
        }
        actions={(row) => (
          <>
            {!readOnly && actions?.(row)}
            <span className={css.opener}>
              <IconButton
                icon="down"
                label={`More about ${nameOf(row)}`}
                aria-expanded={opened === keyOf(row)}
                onClick={() => setOpened(opened === keyOf(row) ? undefined : keyOf(row))}
              />
            </span>
          </>
        )}
      />
      {props.children}
    </Page>
  );
}
