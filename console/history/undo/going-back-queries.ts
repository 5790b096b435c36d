/**
 * Going back: what it would do, found by a dry run against the zone as it is, and doing just that.
 */
import { graphql } from "../../api/generated/gql.ts";
import type { MomentInput, RevertDomainMutation } from "../../api/generated/graphql.ts";
import { Refused } from "../../api/refused.ts";
import { run } from "../../api/run.ts";
import type { DifferenceLine } from "../../difference/difference.ts";
import { fold } from "../../difference/fold.ts";
import { rowsOf } from "../../difference/rrset-rows.ts";

const present = graphql(`
  query PresentZone($zone: String!) {
    domain(by: { zone: $zone }) { id serial }
  }
`);

const revertDomain = graphql(`
  mutation RevertDomain($input: RevertDomainInput!) {
    revertDomain(input: $input) {
      changeSet { id }
      change { id serial }
      diff { ...RrsetDifference }
      loss { ...ZoneLoss }
      notices { message }
    }
  }
`);

const revertChange = graphql(`
  mutation RevertChange($input: RevertChangeInput!) {
    revertChange(input: $input) {
      changeSet { id }
      change { id serial }
      diff { ...RrsetDifference }
      loss { ...ZoneLoss }
      notices { message }
    }
  }
`);

/** What a zone goes back to: what it was at a moment, or to before one change. */
export type Goal =
  | { readonly zone: string; readonly to: MomentInput }
  | { readonly zone: string; readonly undone: string };

interface Terms {
  readonly expectedSerial: number;
  readonly dryRun: boolean;
  readonly note: string | null;
  /** Whether it becomes a change set in place of a change. */
  readonly asChangeSet?: boolean;
}

type Return = NonNullable<RevertDomainMutation["revertDomain"]>;

async function goBack(goal: Goal, terms: Terms, signal?: AbortSignal): Promise<Return> {
  const result =
    "to" in goal
      ? (await run(revertDomain, { input: { by: { zone: goal.zone }, to: goal.to, ...terms } }, signal)).revertDomain
      : (await run(revertChange, { input: { changeId: goal.undone, ...terms } }, signal)).revertChange;
  return result as Return;
}

/** RRsets of a difference that the service returns at most. */
const maxRrsets = 1000;

/** What going back would do to the zone at a serial. */
export interface Preview extends Pick<Return, "loss" | "notices"> {
  readonly serial: number;
  readonly lines: readonly DifferenceLine[];
  /** Whether the lines are all. */
  readonly isWhole: boolean;
}

/** Tries how often, while others change the zone. */
const maxAttempts = 5;

export const isStale = (error: unknown) => error instanceof Refused && error.code === "STALE_SERIAL";

/** Finds what going back would do to the zone as it is. */
export async function preview(goal: Goal, signal: AbortSignal): Promise<Preview> {
  for (let attempt = 1; ; attempt++) {
    const { domain } = await run(present, { zone: goal.zone }, signal);
    const serial = domain?.serial ?? 0;
    try {
      const terms = { expectedSerial: serial, dryRun: true, note: null };
      const { diff, loss, notices } = await goBack(goal, terms, signal);
      return { serial, loss, lines: fold([rowsOf(diff)]), isWhole: diff.length < maxRrsets, notices };
    } catch (error) {
      if (!isStale(error) || attempt === maxAttempts) throw error;
    }
  }
}

/** Goes back, if the zone is still the one that the preview was found for; undefined where nothing had to be changed. */
export async function apply(goal: Goal, { serial }: Preview, note: string): Promise<number | undefined> {
  const { change } = await goBack(goal, { expectedSerial: serial, dryRun: false, note: note.trim() || null });
  return change?.serial;
}

/** Stages the same in a change set of its own; returns its id, undefined where nothing has to be changed. */
export async function propose(goal: Goal, { serial }: Preview, note: string): Promise<string | undefined> {
  const terms = { expectedSerial: serial, dryRun: false, note: note.trim() || null, asChangeSet: true };
  return (await goBack(goal, terms)).changeSet?.id;
}
