/**
 * The commands that say how zones are changed: directly, or by change sets that others approve.
 */

import { selectUser, userId } from "../service/identify.ts";
import type { Column } from "../terminal/print.ts";
import type { CommandRow } from "./command-row.ts";

/** A policy as the schema writes it; `owner` is that of the owner. */
const policyOf = (text = "") => (text === "owner" ? null : text.toUpperCase().replaceAll("-", "_"));

const policies = "none, change-set, one or two";

/** How a zone says that it is changed, and how it is. */
export const reviewColumns: readonly Column[] = [
  ["own review", "review"],
  ["required approvals", "requiredApprovals"],
];

export const reviewRows: readonly CommandRow[] = [
  {
    words: "domain review <zone> <policy>",
    description: `set how a zone is changed: ${policies} (approvals), or owner, as its owner's zones are`,
    document:
      "mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { zone review requiredApprovals } } }",
    variables: ({ args: [zone, policy] }) => ({ input: { by: { zone }, review: policyOf(policy) } }),
    result: "updateDomain.domain",
    columns: [["zone", "zone"], ...reviewColumns],
  },
  {
    words: "user review <user>",
    description: "set how the zones of a user are changed, and who reviews that",
    options: [
      ["--policy <policy>", `${policies} (approvals)`],
      ["--reviewers <user...>", "all the other users who review, by e-mail address or id"],
      ["--no-reviewers", "no other user reviews"],
    ],
    needsOption: true,
    document:
      "mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { email review reviewers { email } } } }",
    variables: async ({ args: [user = ""], options: { policy, reviewers } }, endpoint) => {
      const named = Array.isArray(reviewers) ? (reviewers as string[]) : undefined;
      const reviewerIds = named && (await Promise.all(named.map((each) => userId(endpoint, each))));
      return {
        input: {
          ...selectUser(user),
          ...(policy !== undefined && { review: policyOf(String(policy)) }),
          ...(reviewerIds && { reviewerIds }),
          ...(reviewers === false && { reviewerIds: [] }),
        },
      };
    },
    result: "updateUser.user",
    columns: [
      ["email", "email"],
      ["review", "review"],
      ["reviewers", "reviewers", (user) => (user as { email: string }).email],
    ],
  },
];
