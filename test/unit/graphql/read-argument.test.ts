import { expect, test } from "@jest/globals";
import { ValidateBy } from "class-validator";
import { readArgument } from "../../../src/graphql/schema/shared/read-argument.ts";

let checks = 0;
const isAllowed = (value: unknown) => {
  checks += 1;
  return value !== "refused" && value !== 0;
};

class Argument {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

ValidateBy({ name: "isAllowed", validator: { validate: isAllowed } })(Argument.prototype, "value");

/** How often an argument is checked when it is sent twice. */
function checksOf(value: unknown): number {
  checks = 0;
  for (const _ of [1, 2]) readArgument(new Argument(value));
  return checks;
}

test("arguments that passed are not checked again, unless they are long or have others in them", () => {
  expect([checksOf("a"), checksOf("a"), checksOf(1), checksOf("1")]).toEqual([1, 0, 1, 1]);
  expect([checksOf("x".repeat(10_000)), checksOf({ nested: 1 })]).toEqual([2, 2]);
  for (let n = 10; n < 1000; n += 1) expect(checksOf(n)).toBe(1);
  expect([checksOf(999), checksOf("a")]).toEqual([0, 1]);
});

test("arguments that were refused are refused again", () => {
  for (const value of ["refused", "refused", 0, 0])
    expect(() => readArgument(new Argument(value))).toThrow("Argument Validation");
});
