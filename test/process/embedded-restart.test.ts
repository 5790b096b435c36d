/**
 * The embedded PostgreSQL is killed under a running service: requests get 503 until it runs again, and the service ends, with one line,
 * only when starting it again three times in a minute did not help.
 */
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { postmastersBelow } from "../setup/process/embedded-postgres.ts";
import { RunningService } from "../setup/process/running-service.ts";
import type { Answer } from "../setup/service/client.ts";

const dataDir = temporaryFolder();
let service: RunningService;

afterEach(async () => {
  await service.end("SIGKILL");
  await eventually(() => postmastersBelow(dataDir).length === 0);
});

let users = 0;

/** Creates a user. */
function write(): Promise<Answer> {
  users += 1;
  return service.rest("POST", "/user/add", { form: { email: `user${users}@example.com` } });
}

function killPostgres(): void {
  for (const pid of postmastersBelow(dataDir)) process.kill(pid, "SIGKILL");
}

test("it is started again three times, and serves writes each time; then the service ends with one line", async () => {
  service = await RunningService.start({ DATA_DIR: dataDir });
  expect((await write()).status).toBe(201);
  for (let time = 1; time <= 3; time += 1) {
    // Begun before, so that it is not over when the first write is sent.
    const refusal = eventually(async () => {
      const response = await write();
      expect(response.status).toBe(503);
      return response;
    });
    killPostgres();
    const refused = await refusal;
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(refused.body).toMatchObject({ error: "UNAVAILABLE" });
    await eventually(async () => expect((await write()).status).toBe(201));
    expect(service.process.child.exitCode).toBe(null);
  }
  // On a machine so busy that a minute is over, it is started once more.
  await eventually(() => {
    killPostgres();
    return service.process.child.exitCode !== null;
  });
  expect(await service.process.ended()).toBe(1);
  const { stderr } = service.process.output();
  expect(stderr.trim().split("\n")).toEqual([
    expect.stringMatching(/^zonesmith: The embedded PostgreSQL ended by itself, and starting it again did not help: ./),
  ]);
});
