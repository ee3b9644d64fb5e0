// Real clients are slow to start and the machine may be small: one test file at a time (two at once made Gemini CLI's hooks
// miss its limit on two cores), and limits of our own that a busy machine does not reach.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: dirname(fileURLToPath(import.meta.url)),
  test: {
    include: ["*.test.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
