/**
 * Fields of inputs whose values are checked before a resolver runs: free text that PostgreSQL can hold and a log can
 * show, lists with a largest length, inputs within inputs. Any other value is refused with INVALID_VALUE.
 */
import { ArrayMaxSize, Matches, MaxLength, ValidateNested } from "class-validator";
import { type ClassType, Field } from "type-graphql";

/** The options of a field in the schema. */
interface Options {
  readonly description: string;
  readonly nullable?: boolean;
  readonly defaultValue?: unknown;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const withoutControls = /^[^\x00-\x1f\x7f]*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const withoutOtherControls = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$/;

/**
 * The greatest length of an argument's text by the argument's name, characters; the least one where several arguments
 * have the name.
 */
const lengths = new Map<string, number>();

/** Text of one line, at most `maxLength` characters. */
export function PlainTextField(maxLength: number, options: Options): PropertyDecorator {
  return (target, property) => {
    lengths.set(String(property), Math.min(maxLength, lengths.get(String(property)) ?? maxLength));
    TextField(maxLength, withoutControls, "write it without control characters", options)(target, property);
  };
}

/** Text of several lines, at most `maxLength` characters. */
export const LongTextField = (maxLength: number, options: Options): PropertyDecorator =>
  TextField(
    maxLength,
    withoutOtherControls,
    "write it without control characters, apart from line breaks and tabs",
    options,
  );

function TextField(maxLength: number, form: RegExp, message: string, options: Options): PropertyDecorator {
  return (target, property) => {
    Field(() => String, options)(target, property);
    MaxLength(maxLength, { message: `write at most ${maxLength} characters` })(target, property);
    Matches(form, { message })(target, property);
  };
}

/** Whether every argument with this name accepts the text. An argument that is not free text accepts any. */
export function isPlainText(name: string, text: string): boolean {
  const length = lengths.get(name);
  return length === undefined || (text.length <= length && withoutControls.test(text));
}

/** Limits a list to `count` items. */
export const AtMost = (count: number) => ArrayMaxSize(count, { message: `send at most ${count}` });

/** An input within an input, whose fields are checked too. */
export const InputField =
  (type: () => ClassType<object> | [ClassType<object>], options: Options): PropertyDecorator =>
  (target, property) => {
    Field(type, options)(target, property);
    ValidateNested()(target, property);
  };
