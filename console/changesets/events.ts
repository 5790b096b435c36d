/**
 * Follows one change set while its page is shown: what is done with it, by whomever, is read as it happens.
 */
import { useEffect } from "react";
import { follow } from "../api/events.ts";
import { graphql } from "../api/generated/gql.ts";
import { queries } from "../api/queries.ts";
import { changeSetOptions } from "./queries.ts";

const followed = graphql(`
  subscription ChangeSetFollowed($id: ID!) {
    changeSetChanged(id: $id) {
      state
      revision
      updatedAt
    }
  }
`);

export function useSetEvents(id: string): void {
  useEffect(() => {
    const { queryKey } = changeSetOptions(id);
    const readAgain = () => void queries.invalidateQueries({ queryKey });
    return follow(
      followed,
      { id },
      {
        onEvent: ({ changeSetChanged: { state, revision, updatedAt } }) => {
          const shown = queries.getQueryData(queryKey);
          // The first event says how it is.
          if (shown?.state !== state || shown.revision !== revision || shown.updatedAt !== updatedAt) readAgain();
        },
        // Events may be missed meanwhile.
        onFollowing: (follows) => follows || readAgain(),
      },
    );
  }, [id]);
}
