/**
 * Edits of a zone become a change that others review, or are added to one that is open, in place of being applied; and the words of a
 * change set, for one that is created or edited.
 */
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReviewPolicy, StageZoneInput } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { readAgain } from "../api/queries.ts";
import { Refused } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Fields } from "../parts/control/field.tsx";
import { AreaField, CheckField, FieldsOf, FormDialog, SelectField, TextField, useForm } from "../parts/page/form.tsx";
import { Refusal, sentenceOf } from "../parts/page/page.tsx";
import { demandText } from "../parts/zone/review-policy.tsx";
import {
  changeSetsOptions,
  createSet,
  describeSet,
  isOutdated,
  lookAgain,
  openStates,
  type ShownSet,
  stageIn,
  stateWords,
  submitSet,
} from "./queries.ts";

interface ProposeProps {
  readonly edits: StageZoneInput | undefined;
  readonly title: string;
  readonly demanded: ReviewPolicy;
  /** Called when the edits are in a change set, and only then. */
  readonly onProposed: () => void;
  readonly onOutdated: () => void;
}

/** How many approvals a new set asks for at first, by the review that the zone demands. */
const firstApprovals: Readonly<Record<ReviewPolicy, string>> = { NONE: "1", CHANGE_SET: "0", ONE: "1", TWO: "2" };

/** The form of it: its fields, its sending, and the words of its button. */
export function useProposal({ edits, title, demanded, onProposed, onOutdated }: ProposeProps) {
  const navigate = useNavigate();
  const open = nodesOf(
    useInfiniteQuery({ ...changeSetsOptions({ states: [...openStates] }), enabled: edits !== undefined }),
  );
  const openOptions = open.map(({ id, title: name, state }) => [id, `${name} (${stateWords[state]})`] as const);
  const form = useForm({
    values: { chosen: "", submits: true, title, description: "", requestedApprovals: firstApprovals[demanded] },
    // Returns the set that has the edits, and why it was not submitted.
    mutationFn: async ({ chosen: id, submits, ...words }): Promise<{ set: string; failure?: string | undefined }> => {
      if (!edits) throw new Error("There are no edits.");
      if (id !== "") {
        await stageIn(id, edits);
        return { set: id };
      }
      const set = await createSet(words, [edits]);
      // The edits are in the set, whatever becomes of this.
      const failure = isSubmitted ? await submitSet(set).then(() => undefined, sentenceOf) : undefined;
      return { set: set.id, failure };
    },
    onSuccess: async ({ set, failure }) => {
      onProposed();
      if (failure !== undefined) announceResult("The edits are in the change.", [`It is a draft. ${failure}`]);
      else if (isSubmitted) announceResult("The edits wait for review.");
      else announceResult("The edits are in the change.");
      void lookAgain(set);
      await navigate({ to: "/changes/$change", params: { change: set }, replace: true });
    },
    onError: (error) => {
      if (isOutdated(error)) onOutdated();
    },
  });
  const { chosen, submits, requestedApprovals } = form.values;
  const isReviewed = requestedApprovals !== "0" || demanded === "ONE" || demanded === "TWO";
  const isSubmitted = chosen === "" && submits && isReviewed;
  const fields = (
    <FieldsOf form={form}>
      <Fields>
        {open.length > 0 && <SelectField name="chosen" label="Change" options={[["", "a new one"], ...openOptions]} />}
        {chosen === "" ? (
          <>
            <SetFields />
            {isReviewed && (
              <CheckField
                name="submits"
                label="Ask for its review at once"
                hint="Without it, it is a draft, to which edits of other zones can be added."
              />
            )}
          </>
        ) : (
          <p>
            What was approved of it is to be approved again, and it loses its schedule.
            {edits?.import && ` What it has for ${edits.import.zone} is replaced.`}
          </p>
        )}
      </Fields>
    </FieldsOf>
  );
  return { fields, form, action: chosen === "" ? "Ask for review" : "Add" };
}

/** The same in a dialog, for what is no draft of a sheet. */
export function Propose({ onClose, ...rest }: ProposeProps & { readonly onClose: () => void }) {
  const { fields, form, action } = useProposal(rest);
  return (
    <FormDialog title="Ask for review" action={action} form={form} onClose={onClose}>
      {fields}
    </FormDialog>
  );
}

const approvalChoices = [
  ["0", "none: it can be applied as it is"],
  ["1", "one other person"],
  ["2", "two other persons"],
] as const;

const SetFields = () => (
  <>
    <TextField
      name="title"
      label="Title"
      hint="What it is for, on one line; its changes have it as their note."
      required
      spellCheck
      maxLength={200}
    />
    <AreaField name="description" label="Description" />
    <SelectField
      name="requestedApprovals"
      label="Approvals"
      hint="By others than those who write it. A user's key and the keys that it made are one person; a key that an administrator issued is another."
      options={approvalChoices}
    />
  </>
);

export function SetForm({ set, onClose }: { readonly set: ShownSet; readonly onClose: () => void }) {
  const { title, description, requestedApprovals } = set;
  const save = useForm({
    values: { title, description, requestedApprovals: String(requestedApprovals) },
    mutationFn: (words) => describeSet(set, words),
    onSuccess: () => {
      announceResult("The change set is saved.");
      onClose();
      void lookAgain(set.id);
    },
    onError: (error) => {
      if (isOutdated(error)) void lookAgain(set.id);
    },
  });
  return (
    <FormDialog title="Edit the change set" action="Save" form={save} onClose={onClose}>
      <SetFields />
    </FormDialog>
  );
}

/** Whether a zone is created, or comes back, by a change set alone. */
export const wantsChangeSet = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === "REVIEW_REQUIRED";

interface ProposeZoneProps {
  /** Why the zone was not created or restored. */
  readonly error: unknown;
  readonly zone: string;
  readonly title: string;
  readonly staged: () => Promise<StageZoneInput>;
  /** What it would not hold. */
  readonly children?: ReactNode;
}

/** Offers the same as a change set, in one step. */
export function ProposeZone({ error, zone, title, staged, children }: ProposeZoneProps) {
  const navigate = useNavigate();
  const proposal = useMutation({
    mutationFn: async () => createSet({ title, description: "", requestedApprovals: "0" }, [await staged()]),
    onSuccess: async ({ id }) => {
      announceResult(`The change set is created: ${title}.`);
      readAgain("change-sets");
      await navigate({ to: "/changes/$change", params: { change: id } });
    },
  });
  if (!wantsChangeSet(error)) return null;
  const { review = "CHANGE_SET" } = error.body.details ?? {};
  return (
    <>
      <p role="alert">{demandText(zone, review as ReviewPolicy)} Nothing was changed.</p>
      {children}
      {proposal.error && <Refusal error={proposal.error} />}
      <p>
        <Button busy={proposal.isPending} onClick={() => proposal.mutate()}>
          Propose it as a change set
        </Button>
      </p>
    </>
  );
}
