/**
 * How REST runs GraphQL in process: `main` hands in what runs an operation that was parsed and validated at start.
 */
import type { Response } from "express";

/** Runs an operation for the actor of a response; throws the Refusal it comes to. */
export type RunOperation = (
  variables: Readonly<Record<string, unknown>>,
  response: Response,
) => Promise<Record<string, unknown>>;
