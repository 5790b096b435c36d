/** What a test file has open while its tests run. */
import { afterAll, beforeAll } from "@jest/globals";

interface Opening {
  open(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** Opens something before the tests of a file, or of a describe block, and closes it after them. */
export function opened<It extends Opening>(it: It): It {
  beforeAll(() => it.open());
  afterAll(() => it.close());
  return it;
}
