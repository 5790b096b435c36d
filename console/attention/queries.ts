/** What needs somebody: the counts of the header and the first lines of the page of zones. */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { AttentionQuery } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";

const attention = graphql(`
  query Attention {
    attention {
      kind count at
      secondary {
        id name
        lastTsigError { at message }
        lastQuery { at answer succeeded }
      }
      changeSet { id title author }
      refusal { id zone keyName reason }
      apiKey { id name }
    }
  }
`);

export type Cause = NonNullable<AttentionQuery["attention"]>[number];

/** How often causes are looked for while a page is shown, ms. */
const lookMs = 30_000;

export const attentionOptions = queryOptions({
  queryKey: ["change-sets", "attention"],
  queryFn: async ({ signal }) => (await run(attention, {}, signal)).attention ?? [],
  refetchInterval: lookMs,
});
