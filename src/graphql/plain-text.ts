/**
 * A decorator for arguments that are free text, which PostgreSQL must be able to hold and a log to show.
 */
import { Matches, MaxLength } from "class-validator";

/** Refuses text that is longer than `maxLength` characters, or has control characters, with INVALID_VALUE. */
export function PlainText(maxLength: number): PropertyDecorator {
  return (target, property) => {
    MaxLength(maxLength, { message: `write at most ${maxLength} characters` })(target, property);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    Matches(/^[^\x00-\x1f\x7f]*$/, { message: "write it without control characters" })(target, property);
  };
}
