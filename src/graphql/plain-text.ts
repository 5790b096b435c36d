/** A decorator for arguments that are free text, which PostgreSQL must be able to hold and a log to show. */
import { Matches, MaxLength } from "class-validator";

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const withoutControls = /^[^\x00-\x1f\x7f]*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const withoutOtherControls = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$/;

/** How long an argument may be, by its name; where several have one name, the least. */
const lengths = new Map<string, number>();

/** Refuses text that is longer than `maxLength` characters, or has control characters, with INVALID_VALUE. */
export function PlainText(maxLength: number): PropertyDecorator {
  return (target, property) => {
    lengths.set(String(property), Math.min(maxLength, lengths.get(String(property)) ?? maxLength));
    MaxLength(maxLength, { message: `write at most ${maxLength} characters` })(target, property);
    Matches(withoutControls, { message: "write it without control characters" })(target, property);
  };
}

/** The same for text of several lines. */
export function LongText(maxLength: number): PropertyDecorator {
  return (target, property) => {
    MaxLength(maxLength, { message: `write at most ${maxLength} characters` })(target, property);
    const message = "write it without control characters, apart from line breaks and tabs";
    Matches(withoutOtherControls, { message })(target, property);
  };
}

/** Whether every argument of a name accepts a text. Arguments that are not free text accept any text here. */
export function isPlainText(name: string, text: string): boolean {
  const length = lengths.get(name);
  return length === undefined || (text.length <= length && withoutControls.test(text));
}
