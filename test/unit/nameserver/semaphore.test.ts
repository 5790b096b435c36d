import { expect, test } from "@jest/globals";
import { QueueFull, Semaphore } from "../../../src/nameserver/dynamic-update.ts";

test("a semaphore lets one task run and one wait, rejects the rest, and hands permits on in order", async () => {
  const semaphore = new Semaphore(1, 1);
  const first = await semaphore.acquire();
  const second = semaphore.acquire();
  await expect(semaphore.acquire()).rejects.toThrow(QueueFull);
  first();
  (await second)();
  (await semaphore.acquire())();
});
