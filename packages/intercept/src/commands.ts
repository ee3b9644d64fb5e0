// Which commands are worth running under jeeves-exec: those whose output is long and read for its failures or for what
// matches a question. Everything else runs as it is. The launcher holds the same list in its own language, and a
// test holds the two together.
const PREFIXES =
  /^(?:cd\s+[^\s;&|]+\s*&&\s*|[A-Za-z_][A-Za-z0-9_]*=[^\s;&|'"]*\s+|time\s+|command\s+|timeout\s+\d\S*\s+)/;

/** A job left in the background, or one that follows something for ever, must keep the bare command's descriptors. */
const HANDS_OFF =
  /(?:^|[^&>])&(?:[^&>]|$)|--watch|--follow|\btail\s+(?:-\S+\s+)*-[fF]\b|\s-f\b.*\blogs\b|\blogs\b.*\s-f\b/;

const VERBS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+|run-script\s+)?(?:test|t|build|lint|check|typecheck|ci)\b/,
  /^(?:npx|pnpm|yarn|bunx)\s+(?:exec\s+)?(?:vitest|jest|mocha|ava|tsc|eslint|biome|playwright|cypress)\b/,
  /^(?:vitest|jest|mocha|ava|tsc|eslint|pytest|tox|nox|ruff|mypy|flake8|pylint|rspec|phpunit|ctest|nextest)\b/,
  /^(?:python3?|uv\s+run|poetry\s+run)\s+(?:-m\s+)?(?:pytest|unittest|mypy|ruff|tox)\b/,
  /^node\s+--test\b/,
  /^cargo\s+(?:\+\S+\s+)?(?:test|build|check|clippy|nextest)\b/,
  /^go\s+(?:test|build|vet)\b/,
  /^(?:make|ninja|cmake|ctest|gradle|\.\/gradlew|mvn|\.\/mvnw|bazel|dotnet|swift|xcodebuild)\b/,
  /^(?:cat|nl|rg|grep|egrep|ag|ack)\s/,
  /^git\s+(?:(?:-C\s+[^\s'";&|]+|--no-pager)\s+)*(?:log|grep|blame)\b/,
  /^(?:docker|podman|docker-compose)\s+(?:compose\s+)?(?:logs|build)\b/,
  /^(?:kubectl\s+logs|journalctl)\b/,
];

export function isRecognised(command: string): boolean {
  if (HANDS_OFF.test(command)) return false;
  const rest = withoutPrefixes(command);
  return VERBS.some((verb) => verb.test(rest));
}

/** The command itself, without what only says where and under what it runs. */
export function withoutPrefixes(command: string): string {
  let rest = command.trimStart();
  for (let found = PREFIXES.exec(rest); found !== null; found = PREFIXES.exec(rest)) rest = rest.slice(found[0].length);
  return rest;
}
