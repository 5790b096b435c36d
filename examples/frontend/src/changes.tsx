/** The last changes of a zone; one that is opened is read by its id. */
import { useState } from "react";
import { useQuery } from "urql";
import { Reasons } from "./field";
import { type FragmentType, graphql, useFragment } from "./generated";
import type { ChangeRow_ChangeFragment } from "./generated/graphql";
import { reasonsOf } from "./refusal";

const changeFragment = graphql(`
  fragment ChangeRow_change on Change {
    id serial kind actor createdAt
  }
`);

const contentQuery = graphql(`
  query ChangeContent($id: ID!) {
    node(id: $id) {
      __typename id
      ... on Change {
        removed(first: 20) { nodes { owner type ttl rdata } }
        added(first: 20) { nodes { owner type ttl rdata } }
      }
    }
  }
`);

type Row = FragmentType<typeof changeFragment>;

export function Changes({ changes }: { changes: readonly Row[] }) {
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Last changes</h2>
      <div className="changes card">
        {useFragment(changeFragment, changes).map((change) => (
          <Change key={change.id} {...change} />
        ))}
      </div>
    </section>
  );
}

function Change({ id, serial, kind, actor, createdAt }: ChangeRow_ChangeFragment) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="serial">{serial}</span> {kind.toLowerCase()} by {actor}
        <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
      </summary>
      {isOpen && <Content id={id} />}
    </details>
  );
}

function Content({ id }: { id: string }) {
  const [{ data, error }] = useQuery({ query: contentQuery, variables: { id } });
  const change = data?.node?.__typename === "Change" ? data.node : undefined;
  const lines = (sign: string, records: readonly { owner: string; ttl: number; type: string; rdata: string }[] = []) =>
    records.map(({ owner, ttl, type, rdata }) => `${sign} ${owner} ${ttl} ${type} ${rdata}`);
  return (
    <>
      <Reasons reasons={reasonsOf(error)} />
      <pre>{[...lines("−", change?.removed?.nodes), ...lines("+", change?.added?.nodes)].join("\n")}</pre>
    </>
  );
}
