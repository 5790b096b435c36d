/**
 * What the arguments of several fields share: ids, pages, and texts that PostgreSQL can hold.
 */
import { Matches, Max, MaxLength, Min } from "class-validator";
import { ArgsType, Field, Int } from "type-graphql";
import { Refusal } from "../errors.ts";

/** Reads the digits of an id, 1 to 2^53 - 1; INVALID_VALUE for anything else. */
export function readId(id: string, field: string): number {
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal("INVALID_VALUE", `${field} is not an id; write the digits as they were answered.`, { field });
}

/** The same for an id that may be left out. */
export function readOptionalId(id: string | null | undefined, field: string): number | undefined {
  return id === null || id === undefined ? undefined : readId(id, field);
}

/** A decorator for free text: at most `longest` characters, none of them a control character. */
export function PlainText(longest: number): PropertyDecorator {
  return (target, property) => {
    MaxLength(longest, { message: `write at most ${longest} characters` })(target, property);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    Matches(/^[^\x00-\x1f\x7f]*$/, { message: "write it without control characters" })(target, property);
  };
}

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 50, description: "How many at most, 1 to 1000." })
  @Min(1, { message: "write a number from 1 to 1000" })
  @Max(1000, { message: "write a number from 1 to 1000" })
  first!: number;

  @Field(() => String, { nullable: true, description: "Cursor of the row that the page starts after." })
  @PlainText(2000)
  after?: string;
}

/** The optional fields of a filter, without the nulls that GraphQL lets in. */
export function withoutNulls<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}
