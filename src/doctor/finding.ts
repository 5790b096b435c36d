/** The findings of checks. */

/** The levels of findings; cli/serve.ts derives its exit code from them. */
export const levels = {
  OK: "as it should be",
  NOTE: "right for now; worth knowing, or left to do before others depend on the service",
  WARNING: "works, and invites trouble",
  FAILURE: "does not work",
} as const;

export type Level = keyof typeof levels;

/** A finding of a check; `fix` is a command or a setting to paste, or an instruction. */
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

/** The message of an error, on one line. */
export const textOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");
