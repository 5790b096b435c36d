/** A record of the table; while it is edited, its form. */
import { useEffect, useRef, useState } from "react";
import { useMutation } from "urql";
import { pendingId } from "./client";
import { Reasons } from "./field";
import { type FragmentType, graphql, useFragment } from "./generated";
import { RecordForm, type RecordType, type Values } from "./record-form";
import { type Reason, reasonsOf } from "./refusal";

export const recordFragment = graphql(`
  fragment RecordRow_record on Record {
    id owner ownerUnicode type ttl rdata
    domain { id }
  }
`);

const updateRecord = graphql(`
  mutation UpdateRecord($input: UpdateRecordInput!) {
    updateRecord(input: $input) {
      record { id ...RecordRow_record }
      notices {
        message
      }
    }
  }
`);

interface RowProps {
  readonly record: FragmentType<typeof recordFragment>;
  readonly types: readonly RecordType[];
  readonly mayEdit: boolean;
  /** Why the record was not removed. */
  readonly refused: readonly Reason[];
  readonly onRemove: () => void;
  readonly onNotices: (notices: readonly { readonly message: string }[]) => void;
}

export function RecordRow({ record, types, mayEdit, refused, onRemove, onNotices }: RowProps) {
  const { id, owner, ownerUnicode, type, ttl, rdata } = useFragment(recordFragment, record);
  const [isEdited, setEdited] = useState(false);
  const [isSent, setSent] = useState(false);
  const [isSure, setSure] = useState(false);
  const [, update] = useMutation(updateRecord);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) editButton.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const save = async (values: Values) => {
    setSent(true);
    const { data, error } = await update({ input: { recordId: id, ...values } });
    setSent(false);
    setEdited(error !== undefined);
    onNotices(data?.updateRecord?.notices ?? []);
    return reasonsOf(error);
  };
  const isPending = isSent || id.startsWith(pendingId);
  const name = `${ownerUnicode} ${type} ${rdata}`;
  return (
    <>
      <tr aria-busy={isPending} hidden={isEdited && !isSent}>
        <td title={owner}>{ownerUnicode}</td>
        <td className="quiet">{ttl}</td>
        <td>{type}</td>
        <td className="rdata">
          {rdata}
          <Reasons reasons={refused} />
        </td>
        <td className="actions">
          {mayEdit && !isPending && (
            <>
              <button ref={editButton} type="button" aria-label={`Edit ${name}`} onClick={() => setEdited(true)}>
                Edit
              </button>
              <button
                type="button"
                className={isSure ? "danger" : undefined}
                aria-label={`${isSure ? "Really remove" : "Remove"} ${name}`}
                onBlur={() => setSure(false)}
                onClick={() => (isSure ? onRemove() : setSure(true))}
              >
                {isSure ? "Really?" : "Remove"}
              </button>
            </>
          )}
        </td>
      </tr>
      {isEdited && (
        <tr hidden={isSent}>
          <td colSpan={5}>
            <RecordForm
              types={types}
              submit="Save"
              initial={{ owner, type, ttl, rdata }}
              onSubmit={save}
              onCancel={() => setEdited(false)}
            />
          </td>
        </tr>
      )}
    </>
  );
}
