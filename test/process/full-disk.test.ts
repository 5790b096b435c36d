/** The database's disk is full: writes and readiness say so, reads go on, and all is well when there is space again. */
import { afterAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testIf } from "../setup/basics/programs.ts";
import { SmallDisk } from "../setup/process/small-disk.ts";
import { testService } from "../setup/service/service.ts";
import { expectUnavailable } from "../setup/service/three-writers.ts";

const isPossible = SmallDisk.isPossible();
let disk: SmallDisk | undefined;
const service = testService({}, async (url) => {
  if (isPossible) disk = await SmallDisk.under(url);
  return url;
});
afterAll(() => disk?.remove());

const reason = "the disk of the database is full";

testIf(isPossible, "the right to mount a file system")(
  "a full disk is 503 for writes and for /readyz, not for reads, until there is space again",
  async () => {
    if (!disk) throw new Error("there is no small disk");
    const userId = await service.user("owner@example.com");
    await service.domain("example.com", userId);
    const ready = async () => {
      const answer = await fetch(`${service.url}/readyz`);
      return [answer.status, answer.headers.get("retry-after"), await answer.json()];
    };
    expect(await ready()).toEqual([200, null, { status: "ready" }]);
    disk.fill();
    const file = Array.from({ length: 2000 }, (_, at) => `r${at} 300 TXT "${"x".repeat(200)}"\n`).join("");
    const importFile = () =>
      service.rest("POST", "/domain/zonefile/example.com", { body: file, headers: { "Content-Type": "text/dns" } });
    expectUnavailable(await importFile(), reason, 30);
    expect(await ready()).toEqual([503, "30", { status: "not ready", reason }]);
    expect((await service.rest("GET", "/record/list?zone=example.com")).body).toHaveLength(4);
    disk.free();
    await eventually(async () => expect(await ready()).toEqual([200, null, { status: "ready" }]));
    expect((await importFile()).status).toBe(200);
  },
);
