/**
 * How the zones of a user are changed that say nothing else themselves, and who reviews their change sets besides.
 */
import { useQuery } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { UserReviewQuery } from "../api/generated/graphql.ts";
import { RefusedField } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { saved, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import { type ReviewChoice, ReviewField } from "../parts/zone/review-policy.tsx";
import { updateUser, userIdOf } from "./queries.ts";

const userReview = graphql(`
  query UserReview($id: ID!) {
    user(by: { id: $id }) {
      id email review
      reviewers { id email }
    }
  }
`);

interface UserReviewProps {
  readonly user: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

export function UserReview({ user: { id, email }, onClose }: UserReviewProps) {
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

/** The ids of the users with these e-mail addresses, separated by blanks; throws as the service would where there is none. */
async function reviewerIdsOf(text: string): Promise<string[]> {
  const ids: string[] = [];
  for (const email of listedWords(text)) {
    const id = await userIdOf(email);
    if (id === undefined) throw new RefusedField("reviewerIds", `There is no user ${email}.`);
    ids.push(id);
  }
  return ids;
}

interface ReviewFormProps {
  readonly user: NonNullable<UserReviewQuery["user"]>;
  readonly onClose: () => void;
}

function ReviewForm({ user, onClose }: ReviewFormProps) {
  const { isAdministrator } = useViewer();
  const reviewers = (user.reviewers ?? []).map(({ email }) => email).join(" ");
  const save = useForm({
    values: { review: user.review as ReviewChoice, reviewerIds: reviewers },
    mutationFn: async ({ review, reviewerIds }) => {
      const others = isAdministrator && { reviewerIds: await reviewerIdsOf(reviewerIds) };
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
