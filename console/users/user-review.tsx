/**
 * How the zones of a user are changed that say nothing else themselves, and who reviews their change sets besides.
 */
import { useQuery } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { UserReviewQuery } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { saved, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import { type ReviewChoice, ReviewField } from "../parts/zone/review-policy.tsx";
import { type OfUser, updateUser } from "./queries.ts";
import { namedUser } from "./user-field.tsx";

const userReview = graphql(`
  query UserReview($id: ID!) {
    user(by: { id: $id }) {
      id email review
      reviewers { id email }
    }
  }
`);

export function UserReview({ user: { id, email }, onClose }: OfUser) {
  const query = useQuery({
    queryKey: ["user-review", id],
    queryFn: async ({ signal }) => (await run(userReview, { id }, signal)).user,
    gcTime: 0,
  });
  return (
    <Read query={query} title={`Review of ${email}`} onClose={onClose}>
      {(user) => <ReviewForm user={user} onClose={onClose} />}
    </Read>
  );
}

type ReviewedUser = NonNullable<UserReviewQuery["user"]>;

function ReviewForm({ user, onClose }: { readonly user: ReviewedUser; readonly onClose: () => void }) {
  const { isAdministrator } = useViewer();
  const reviewers = (user.reviewers ?? []).map(({ email }) => email).join(" ");
  const save = useForm({
    values: { review: user.review as ReviewChoice, reviewerIds: reviewers },
    mutationFn: async ({ review, reviewerIds }) => {
      const others = isAdministrator && {
        reviewerIds: await Promise.all(listedWords(reviewerIds).map((email) => namedUser(email, "reviewerIds"))),
      };
      return run(updateUser, { input: { by: { id: user.id }, review: review || "NONE", ...others } });
    },
    // Zones that say nothing themselves follow it.
    onSuccess: () => saved(`The review of ${user.email} is saved.`, onClose, "zone"),
  });
  return (
    <FormDialog title={`Review of ${user.email}`} action="Save" form={save} onClose={onClose}>
      <p>This holds for the zones of {user.email} that say nothing else themselves.</p>
      <ReviewField least={user.review} isFree={isAdministrator} inherits={false} />
      {isAdministrator ? (
        <TextField
          name="reviewerIds"
          label="Other users who review"
          hint="E-mail addresses, separated by blanks. The user's own keys and administrators review anyway."
        />
      ) : (
        reviewers && <p>Besides your own keys and administrators, {reviewers} may review.</p>
      )}
    </FormDialog>
  );
}
