/**
 * The arguments of every list: how many rows, and after which.
 */
import { Max, Min } from "class-validator";
import { ArgsType, Field, Int } from "type-graphql";
import { PlainText } from "./plain-text.ts";

/** Rows that a page may have at most. */
export const maxPageSize = 1000;

const pageSizeRange = { message: "write a number from 1 to 1000" };

@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 50, description: "Number of rows of the page at most, 1 to 1000." })
  @Min(1, pageSizeRange)
  @Max(maxPageSize, pageSizeRange)
  first!: number;

  @Field(() => String, { nullable: true, description: "Cursor of the row that the page starts after." })
  @PlainText(2000)
  after?: string;
}
