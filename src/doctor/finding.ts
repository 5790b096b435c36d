/** What a check reports: how things are, and what to do where they should not be so. */

/** How bad a finding is; what it means for the exit code is in cli/serve.ts. */
export const levels = {
  OK: "as it should be",
  NOTE: "right for now; worth knowing, or left to do before others depend on the service",
  WARNING: "works, and invites trouble",
  FAILURE: "does not work",
} as const;

export type Level = keyof typeof levels;

/** A finding of a check; `fix` is a command or a setting to paste, or what else to do. */
export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly finding: string;
  readonly fix?: string;
}

export const ok = (check: string, finding: string): Finding => ({ check, level: "OK", finding });

const finder =
  (level: Level) =>
  (check: string, finding: string, fix: string): Finding => ({ check, level, finding, fix });

export const note = finder("NOTE");
export const warning = finder("WARNING");
export const failure = finder("FAILURE");

/** The text of an error, on one line. */
export const textOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");
