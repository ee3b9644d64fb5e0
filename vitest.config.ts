// Every package's tests, and the ones of the whole. The real clients have a configuration of their own (test/clients).
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** What jeeves-exec does with Perl, alone and among the doors; jeeves-exec-bare.test.ts says what is left without it. */
const NEED_PERL = ["", "-hold", "-killed", "-search", "-search-forms", "-surroundings"].map(
  (part) => `packages/cli/test/jeeves-exec${part}.test.ts`,
);
NEED_PERL.push("test/one-cut.test.ts");
const hidesPerl = process.env.JEEVES_TEST_HIDE?.split(",").includes("perl") === true;

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(hidesPerl ? NEED_PERL : [])],
    globalSetup: ["test/set-up.ts"],
    setupFiles: ["test/seed.ts", "test/hide-parts.ts"],
    // Vitest leaves one core to itself; most of our tests wait for programs that they started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // `npm test -- --coverage FILE…`: what runs in the tests' own process; built programs are not counted.
    coverage: { provider: "v8", exclude: ["**/{dist,test,scripts}/**"], reporter: ["text", "html"] },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
