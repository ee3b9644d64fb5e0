// Every package's tests, and the ones of the whole. The real clients have a configuration of their own (test/clients).
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/*.test.ts"],
    globalSetup: ["test/set-up.ts"],
    setupFiles: ["test/seed.ts", "test/hide-parts.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
