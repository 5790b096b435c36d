/** What a test file imports of `@jest/globals`. */
import type { Environment } from "./environment.ts";

const { given, moduleMocker, fakeTimersModern } = (globalThis as unknown as { testEnvironment: Environment })
  .testEnvironment;

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = given;

export const jest = {
  fn: moduleMocker.fn.bind(moduleMocker),
  spyOn: moduleMocker.spyOn.bind(moduleMocker),
  useFakeTimers: fakeTimersModern.useFakeTimers.bind(fakeTimersModern),
  useRealTimers: fakeTimersModern.useRealTimers.bind(fakeTimersModern),
  advanceTimersByTime: fakeTimersModern.advanceTimersByTime.bind(fakeTimersModern),
  advanceTimersByTimeAsync: fakeTimersModern.advanceTimersByTimeAsync.bind(fakeTimersModern),
};
