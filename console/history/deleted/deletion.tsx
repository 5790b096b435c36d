/**
 * When a zone was deleted, and by whom.
 */
import { authorName } from "../../parts/text/author.ts";
import { Ago } from "../../parts/text/time.tsx";
import type { DeletedZone } from "./deleted-queries.ts";

/** The change that deleted a zone: the newest of its journal; undefined when that is not kept any more. */
export const deletionOf = ({ changes }: DeletedZone) => changes?.nodes.find(({ kind }) => kind === "DELETE");

export function Deletion({ deleted }: { readonly deleted: DeletedZone }) {
  const deletion = deletionOf(deleted);
  return (
    <>
      <Ago time={deleted.deletedAt} />
      {deletion && ` by ${authorName(deletion)}`}
      {deletion?.note && `: ${deletion.note}`}
    </>
  );
}
