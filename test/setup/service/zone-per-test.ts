/** A zone of its own for each test of a file, all of one user. */
import { beforeAll, beforeEach } from "@jest/globals";
import type { TestService } from "./service.ts";

/** Creates it before each test, with a number behind its name, and calls `begin` with the zone and the id of the user. */
export function zonePerTest(service: TestService, name: string, begin: (zone: string, owner: string) => unknown): void {
  let owner = "";
  let count = 0;
  beforeAll(async () => {
    owner = await service.user("owner@example.com");
  });
  beforeEach(async () => {
    const zone = `${name}${count++}.example`;
    await service.domain(zone, owner);
    await begin(zone, owner);
  });
}
