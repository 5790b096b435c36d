/**
 * The checks of arguments by class-validator, before a resolver sees them.
 */
import { getMetadataStorage, type ValidationError, type ValidatorOptions, validateSync } from "class-validator";
import { ArgumentValidationError } from "type-graphql";

const validation: ValidatorOptions = {
  forbidUnknownValues: false,
  skipMissingProperties: true,
  stopAtFirstError: true,
};

/** Checks an argument synchronously; type-graphql's default imports class-validator for every argument. */
export function validateArgument(argument: unknown): void {
  const objects = [argument].flat().filter((each): each is object => typeof each === "object" && each !== null);
  const failures = objects.filter(isChecked).flatMap(failuresOf);
  if (failures.length > 0) throw new ArgumentValidationError(failures);
}

/** By class, the arguments that passed, as JSON: a field of a list is asked with the same ones for each of its rows. */
const passedArguments = new Map<unknown, Set<string>>();
const mostPassed = 200;
const longestPassed = 200;

function failuresOf(object: object): readonly ValidationError[] {
  const key = keyOf(object);
  if (key === undefined) return validateSync(object, validation);
  const passed = passedArguments.get(object.constructor) ?? new Set();
  passedArguments.set(object.constructor, passed);
  if (passed.has(key)) return [];
  const failures = validateSync(object, validation);
  if (passed.size >= mostPassed) passed.clear();
  if (failures.length === 0) passed.add(key);
  return failures;
}

/** An argument as JSON; undefined of one that is long, or has others in it. */
function keyOf(object: object): string | undefined {
  const isShort = Object.values(object).every((value) =>
    typeof value === "string" ? value.length <= longestPassed : typeof value !== "object" || value === null,
  );
  return isShort ? JSON.stringify(object) : undefined;
}

/** By class, whether class-validator has anything to check of it; asking it each time costs more than most checks. */
const checkedClasses = new Map<unknown, boolean>();

function isChecked(object: object): boolean {
  const checked = checkedClasses.get(object.constructor);
  if (checked !== undefined) return checked;
  const isAny = getMetadataStorage().getTargetValidationMetadatas(object.constructor, "", false, false).length > 0;
  checkedClasses.set(object.constructor, isAny);
  return isAny;
}
