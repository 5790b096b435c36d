/**
 * Prepares arguments for resolvers: removes nulls, since a client may send null for any field that it may leave out,
 * and checks the rest by class-validator.
 */
import { getMetadataStorage, type ValidationError, type ValidatorOptions, validateSync } from "class-validator";
import { ArgumentValidationError } from "type-graphql";

const validation: ValidatorOptions = {
  forbidUnknownValues: false,
  skipMissingProperties: true,
  stopAtFirstError: true,
};

/** The names of fields in which null is a value, by the prototype of their input. */
const nullFields = new WeakMap<object, Set<string | symbol>>();

/** Marks an input's field in which null is a value that differs from leaving the field out. */
export const NullIsValue = (): PropertyDecorator => (target, property) => {
  nullFields.set(target, (nullFields.get(target) ?? new Set()).add(property));
};

/** Removes the nulls of an argument and of the inputs in it, in place: type-graphql creates them for one call. */
function leaveOutNulls(argument: object): void {
  const kept = nullFields.get(Object.getPrototypeOf(argument));
  for (const [name, value] of Object.entries(argument)) {
    if (value === null) {
      if (!kept?.has(name)) delete (argument as Record<string, unknown>)[name];
    } else if (typeof value === "object") leaveOutNulls(value);
  }
}

/**
 * Prepares an argument. It is synchronous, while type-graphql's own validation imports class-validator for each
 * argument.
 */
export function readArgument(argument: unknown): void {
  const objects = [argument].flat().filter((each): each is object => typeof each === "object" && each !== null);
  for (const each of objects) leaveOutNulls(each);
  const failures = objects.filter(isChecked).flatMap(failuresOf);
  if (failures.length > 0) throw new ArgumentValidationError(failures);
}

/**
 * Arguments that passed the checks, as JSON, by their class. They are remembered because a nested list has the same arguments for each
 * parent row.
 */
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

/** An argument as JSON; undefined for a long one and for one with inputs in it. */
function keyOf(object: object): string | undefined {
  const isShort = Object.values(object).every((value) =>
    typeof value === "string" ? value.length <= longestPassed : typeof value !== "object",
  );
  return isShort ? JSON.stringify(object) : undefined;
}

/** Whether class-validator has checks for a class: asking it each time costs more than most checks. */
const checkedClasses = new Map<unknown, boolean>();

function isChecked(object: object): boolean {
  const checked = checkedClasses.get(object.constructor);
  if (checked !== undefined) return checked;
  const isAny = getMetadataStorage().getTargetValidationMetadatas(object.constructor, "", false, false).length > 0;
  checkedClasses.set(object.constructor, isAny);
  return isAny;
}
