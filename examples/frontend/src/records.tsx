/** The records of a zone, and the form that adds one. */
import { type ReactNode, useState } from "react";
import { useMutation } from "urql";
import type { FragmentType } from "./generated";
import { graphql } from "./generated";
import { RecordForm, type RecordType, type Values } from "./record-form";
import { RecordRow, type recordFragment } from "./record-row";
import { type Reason, reasonsOf } from "./refusal";

const createRecord = graphql(`
  mutation CreateRecord($input: CreateRecordInput!) {
    createRecord(input: $input) {
      record { id domain { id } ...RecordRow_record }
      notices {
        message
      }
    }
  }
`);

const deleteRecord = graphql(`
  mutation DeleteRecord($input: DeleteRecordInput!) {
    deleteRecord(input: $input) { deletedId notices { message } }
  }
`);

type Notices = readonly { readonly message: string }[];

interface RecordsProps {
  readonly zone: string;
  readonly records: readonly ({ id: string } & FragmentType<typeof recordFragment>)[];
  readonly types: readonly RecordType[];
  readonly mayEdit: boolean;
  /** What is beside the heading. */
  readonly children: ReactNode;
}

export function Records({ zone, records, types, mayEdit, children }: RecordsProps) {
  const [notices, setNotices] = useState<Notices>([]);
  /** Why a record was not removed: here, since its row was gone while the removal was under way. */
  const [refused, setRefused] = useState<{ id: string; reasons: readonly Reason[] }>();
  const [, create] = useMutation(createRecord);
  const [, remove] = useMutation(deleteRecord);
  const add = async (values: Values) => {
    const { data, error } = await create({ input: { zone, ...values } });
    setNotices(data?.createRecord?.notices ?? []);
    return reasonsOf(error);
  };
  const removeOne = async (id: string) => {
    const { data, error } = await remove({ input: { recordId: id } });
    setNotices(data?.deleteRecord?.notices ?? []);
    setRefused({ id, reasons: reasonsOf(error) });
  };
  return (
    <section aria-labelledby="records">
      <div className="title">
        <h2 id="records">Records</h2>
        {children}
      </div>
      {mayEdit && (
        <div className="card add">
          <RecordForm types={types} submit="Add" onSubmit={add} />
        </div>
      )}
      <ul className="warnings" role="status">
        {notices.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <div className="card">
        <table>
          <thead>
            <tr>
              <th>Owner</th>
              <th>TTL</th>
              <th>Type</th>
              <th>Data</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <RecordRow
                key={record.id}
                record={record}
                types={types}
                mayEdit={mayEdit}
                refused={refused?.id === record.id ? refused.reasons : []}
                onRemove={() => removeOne(record.id)}
                onNotices={setNotices}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
