/**
 * Closes a run with one plain line, `N passed, N failed, N skipped`, for those who only read the end of a log.
 */
import type { AggregatedResult } from "@jest/reporters";

export default class Count {
  onRunComplete(
    _contexts: unknown,
    { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests }: AggregatedResult,
  ): void {
    process.stdout.write(
      `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed, ${numPendingTests} skipped\n`,
    );
  }
}
