/** TSIG secrets stay as they are in the database: sealed with SECRET_KEY, which is no part of a backup, or in the clear. */
import { expect, test } from "@jest/globals";
import { checkBackup } from "../../../src/backup/read-backup.ts";
import { tableNames } from "../../setup/database/any-rows.ts";
import { Backups } from "../../setup/database/backups.ts";
import { emptyDatabase } from "../../setup/database/database.ts";
import { testService } from "../../setup/service/service.ts";

const secretKey = "a-secret-key-of-32-characters-or-more";
const service = testService({ SECRET_KEY: secretKey });
const backups = new Backups();

test("a backup with sealed secrets is restored with the key that opens them, or when it is said that another may be set", async () => {
  await service.mutate("createTsigKey", { name: "one.example.com" }, "secret");
  const file = await backups.take(service.databaseUrl);
  expect((await checkBackup(file, () => {})).sealedSecrets).toBe(1);
  const target = await emptyDatabase();
  const restore = (settings: Record<string, string>) => backups.restore(file, target, settings, false);
  const sentence = /SECRET_KEY does not open 1 secrets of TSIG keys and webhooks in the backup \(one\.example\.com\)/;
  await expect(restore({})).rejects.toThrow(sentence);
  await expect(restore({ SECRET_KEY: secretKey.replace("a", "b") })).rejects.toThrow(sentence);
  expect(await tableNames(target)).toEqual([]);
  await restore({ SECRET_KEY: secretKey });
  await backups.restore(file, await emptyDatabase(), {}, true);
});
