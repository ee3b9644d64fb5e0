// Which programs run tests, and which build, check or run something.
const TESTS =
  /^(?:pytest|py\.test|unittest|tox|nox|nose2|trial|behave|jest|vitest|mocha|ava|karma|tap|jasmine|cypress|rspec|cucumber|minitest|phpunit|pest|ctest|nextest|gotestsum|prove|bats|busted|runtests(?:\.py)?)$/;
/** Tools that do many things, one of them a test. */
const TESTING_TOOLS =
  /^(?:npm|pnpm|yarn|bun|deno|make|just|task|rake|rails|mise|go|cargo|mvnw?|gradlew?|dotnet|swift|bazel|sbt|lein|mix|composer|nx|turbo|playwright|xcodebuild|flutter|dart|zig|stack|cabal|manage\.py|hatch|invoke)$/;
const TEST_WORD = /^(?:t|tests?|check|spec|verify|nextest|[\w./:-]*:tests?|tests?[:\-_][\w:-]*)$/;
const TEST_FILE = /^(?:(?:run[-_]?)?tests?(?:[-_.][\w.-]*)?|[\w.-]*[-_.]tests?)(?:\.\w+)?$/;
const INTERPRETER = /^(?:python[\d.]*|pypy3?|node|ruby|perl|php|deno|bun|tsx|ts-node|lua|Rscript|julia)$/;
/** A script is named by a path of its own, or by its extension. */
export const SCRIPT = /\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php)$/;

/** Matches the beginning of a command: its program and two words after it. */
export const RUNS = new RegExp(
  `^(?:${[
    "python[\\d.]*",
    "pypy3?|node|ruby|perl|php|deno|bun|tsx|ts-node|lua|Rscript|julia|java|dotnet|swift|flutter|dart",
    "npm|pnpm|yarn|make|just|task|rake|rails|ninja|cmake|meson|gradlew?|mvnw?|ant|sbt|bazel|buck2?|nx|turbo|lerna|invoke",
    "tsc|vite|webpack|rollup|esbuild|parcel|next|astro|swc|babel",
    "eslint|biome|prettier|stylelint|tslint|oxlint|ruff|flake8|pylint|mypy|pyright|black|isort|bandit|pre-commit",
    "cargo|rustc|go|golangci-lint|staticcheck|gcc|g\\+\\+|cc|clang|clang\\+\\+|clang-tidy|javac|kotlinc|scalac|ghc|stack|cabal|zig|mix|composer|phpstan|psalm|rubocop|shellcheck|hadolint|xcodebuild",
    "pip[\\d.]*|uv|poetry|pdm|hatch|rye|pixi|conda|gem|bundle|apt|apt-get|brew|apk|dnf|yum",
    "journalctl|terraform|ansible(?:-\\w+)?|helm",
    "(?:docker|podman|docker-compose|kubectl)(?: compose)? (?:build|logs|run|pull|push|up)",
  ].join("|")})(?: |$)`,
);

/** Whether a command runs tests. */
export function isTest(program: string, words: readonly string[]): boolean {
  if (TESTS.test(program) || TEST_FILE.test(program)) return true;
  const plain = words.filter((word) => !word.startsWith("-"));
  if (TESTING_TOOLS.test(program)) return plain.slice(0, 3).some((word) => TEST_WORD.test(word) || TESTS.test(word));
  if (!INTERPRETER.test(program)) return false;
  if (words[0] === "--test") return true;
  const [file = "", first = ""] = plain;
  return TEST_FILE.test(file.replace(/^.*\//, "")) || (file.endsWith("manage.py") && first === "test");
}
