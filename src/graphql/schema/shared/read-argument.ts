/**
 * Arguments before a resolver sees them: a null is left out, as clients may send one wherever a field may be left out, and class-validator
 * checks the rest.
 */
import { getMetadataStorage, type ValidationError, type ValidatorOptions, validateSync } from "class-validator";
import { ArgumentValidationError } from "type-graphql";

const validation: ValidatorOptions = {
  forbidUnknownValues: false,
  skipMissingProperties: true,
  stopAtFirstError: true,
};

/** By prototype of an input, the names of its fields in which null is a value. */
const nullFields = new WeakMap<object, Set<string | symbol>>();

/** Marks a field of an input in which null is a value of its own, other than leaving the field out. */
export const NullIsValue = (): PropertyDecorator => (target, property) => {
  nullFields.set(target, (nullFields.get(target) ?? new Set()).add(property));
};

/** Leaves out the nulls of an argument, in place: type-graphql makes it, and the inputs in it, for one call. */
function leaveOutNulls(argument: object): void {
  const kept = nullFields.get(Object.getPrototypeOf(argument));
  for (const [name, value] of Object.entries(argument)) {
    if (value === null) {
      if (!kept?.has(name)) delete (argument as Record<string, unknown>)[name];
    } else if (typeof value === "object") leaveOutNulls(value);
  }
}

/** Reads an argument synchronously; type-graphql's default imports class-validator for every argument. */
export function readArgument(argument: unknown): void {
  const objects = [argument].flat().filter((each): each is object => typeof each === "object" && each !== null);
  for (const each of objects) leaveOutNulls(each);
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
    typeof value === "string" ? value.length <= longestPassed : typeof value !== "object",
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
