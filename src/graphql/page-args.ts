/** The arguments of every list: how many rows, after which and before which. */
import { Max, Min } from "class-validator";
import { ArgsType, Field, Int } from "type-graphql";
import { defaultPageSize } from "../lists/pagination.ts";
import { PlainTextField } from "./checked-fields.ts";

/** The most rows of a page. */
export const maxPageSize = 1000;

/** The greatest length of a cursor, characters. */
export const maxCursorLength = 2000;

const pageSizeRange = { message: "write a number from 1 to 1000" };

@ArgsType()
export class ForwardPageArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Rows from the beginning, 1 to 1000; ${defaultPageSize} without first and last.`,
  })
  @Min(1, pageSizeRange)
  @Max(maxPageSize, pageSizeRange)
  first?: number;

  @PlainTextField(maxCursorLength, { nullable: true, description: "The page starts after this cursor." })
  after?: string;
}

@ArgsType()
export class PageArgs extends ForwardPageArgs {
  @Field(() => Int, { nullable: true, description: "Rows from the end, 1 to 1000, in place of first." })
  @Min(1, pageSizeRange)
  @Max(maxPageSize, pageSizeRange)
  last?: number;

  @PlainTextField(maxCursorLength, { nullable: true, description: "The page ends before this cursor." })
  before?: string;
}
