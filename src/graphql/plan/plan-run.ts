/**
 * What a plan is given each time it runs, and how it gives up: it holds only the answer of full success. Whatever is not that, a value
 * that is refused, a row that is not there, a null where the schema has none, is answered by executing the operation from the start.
 */
import type { Cells } from "../../database/pipelined-statement.ts";
import type { Times } from "../../secondary/publication.ts";
import type { Actor } from "../../session/authorization.ts";
import type { Variables } from "../declared-variables.ts";

/** The variables of a request, and who makes it. */
export interface PlanRequest {
  readonly variables: Variables;
  readonly actor: Actor;
}

/** A request with the times and rows of its plan. */
export interface Given extends PlanRequest {
  /** The times by which publications are late. */
  readonly times: () => Times;
  /** The rows of the statement, while one row is written that has a list of them. */
  readonly rows?: readonly Cells[];
}

/** A value that is known when a plan runs. */
export type Source<Value = unknown> = (given: Given) => Value;

/** Thrown by a plan that has no answer; always the same object, since it says nothing more. */
export const gaveUp = new Error("the plan has no answer");

/** Gives up. */
export function giveUp(): never {
  throw gaveUp;
}

/** Thrown while a plan is made, for an operation that is not planned. */
export class Unplannable extends Error {}
