import type { Config } from "jest";

const suite = (displayName: string, files = "**/*.test.ts") => ({
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/${files}`],
  transform: {},
  // Nothing of a run stays in the temporary folder.
  cacheDirectory: "<rootDir>/node_modules/.cache/jest",
  testEnvironment: "<rootDir>/test/setup/run/environment.ts",
  testRunner: "<rootDir>/test/setup/run/file.ts",
  globalSetup: `<rootDir>/test/setup/run/${displayName === "unit" ? "begin" : "begin-with-database"}.ts`,
  globalTeardown: "<rootDir>/test/setup/run/end.ts",
});

export default {
  projects: [
    suite("unit"),
    suite("service"),
    suite("house"),
    suite("browser"),
    suite("process"),
    suite("package"),
    suite("interop"),
    suite("soak"),
    suite("screenshots", "write.ts"),
  ],
  maxWorkers: 2,
  workerIdleMemoryLimit: "1500MB",
  testTimeout: 300_000,
  reporters: ["default", "<rootDir>/test/setup/run/summary.ts"],
} satisfies Config;
