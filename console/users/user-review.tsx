/**
 * How the zones of a user are changed that say nothing else themselves, and who reviews their change sets besides.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { UserReviewQuery } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { RefusedField } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { Field, TextInput } from "../parts/control/field.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Reading } from "../parts/page/list.tsx";
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

type ReviewedUser = NonNullable<UserReviewQuery["user"]>;

const userReviewOptions = (id: string) =>
  queryOptions({
    queryKey: ["user-review", id],
    queryFn: async ({ signal }) => (await run(userReview, { id }, signal)).user as ReviewedUser,
  });

interface UserReviewProps {
  readonly user: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

export function UserReview({ user, onClose }: UserReviewProps) {
  const { data, error, isFetching } = useQuery({ ...userReviewOptions(user.id), gcTime: 0 });
  if (data && !isFetching) return <ReviewForm user={data} onClose={onClose} />;
  return (
    <Dialog title={`Review of ${user.email}`} onClose={onClose}>
      <Reading query={{ error }} />
    </Dialog>
  );
}

/** The ids of the users with these e-mail addresses, separated by blanks; throws as the service would where there is none. */
async function reviewerIdsOf(text: string): Promise<string[]> {
  const ids: string[] = [];
  for (const email of text.split(/[\s,;]+/).filter((word) => word !== "")) {
    const id = await userIdOf(email);
    if (id === undefined) throw new RefusedField("reviewerIds", `There is no user ${email}.`);
    ids.push(id);
  }
  return ids;
}

function ReviewForm({ user, onClose }: { readonly user: ReviewedUser; readonly onClose: () => void }) {
  const { isAdministrator } = useViewer();
  const [review, setReview] = useState<ReviewChoice>(user.review);
  const [reviewers, setReviewers] = useState((user.reviewers ?? []).map(({ email }) => email).join(" "));
  const save = useForm({
    fields: ["review", "reviewerIds"],
    mutationFn: async () => {
      const others = isAdministrator ? { reviewerIds: await reviewerIdsOf(reviewers) } : {};
      return run(updateUser, { input: { by: { id: user.id }, review: review || "NONE", ...others } });
    },
    onSuccess: () => {
      announceResult(`The review of ${user.email} is saved.`);
      onClose();
      // Zones that say nothing themselves follow it.
      readAgain("zone");
    },
  });
  return (
    <FormDialog title={`Review of ${user.email}`} action="Save" form={save} onClose={onClose}>
      <p>This holds for the zones of {user.email} that say nothing else themselves.</p>
      <ReviewField
        value={review}
        onChange={setReview}
        least={user.review}
        isFree={isAdministrator}
        inherits={false}
        error={save.errorOf("review")}
      />
      {isAdministrator ? (
        <Field
          label="Other users who review"
          error={save.errorOf("reviewerIds")}
          hint="E-mail addresses, separated by blanks. The user's own keys and administrators review anyway."
        >
          <TextInput value={reviewers} onChange={setReviewers} />
        </Field>
      ) : (
        reviewers && <p>Besides your own keys and administrators, {reviewers} may review.</p>
      )}
    </FormDialog>
  );
}
