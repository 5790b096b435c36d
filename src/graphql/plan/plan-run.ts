/**
 * The request that a plan runs for, and how a plan gives up. A plan writes only successful answers. For anything else
 * (a refused value, a missing row, a null where the schema allows none) it gives up, and the resolvers execute the
 * operation from the start.
 */
import type { Cells } from "../../database/pipelined-statement.ts";
import type { Times } from "../../secondary/publication.ts";
import type { Actor } from "../../session/authorization.ts";
import type { Variables } from "../declared-variables.ts";

/** The variables of a request and its actor. */
export interface PlanRequest {
  readonly variables: Variables;
  readonly actor: Actor;
}

/** A request with the times and rows of its plan. */
export interface Given extends PlanRequest {
  /** The times after which a publication is late. */
  readonly times: () => Times;
  /** The rows of the statement, if these are the items of a list; the answer then has one row with that list. */
  readonly rows?: readonly Cells[];
}

/** A value that is known when a plan runs. */
export type Source<Value = unknown> = (given: Given) => Value;

/** Thrown by a plan that gives up. It is one object, since it needs no stack. */
export const gaveUp = new Error("the plan has no answer");

export function giveUp(): never {
  throw gaveUp;
}

/** Thrown while a plan is made for an operation that cannot be planned. */
export class Unplannable extends Error {}
