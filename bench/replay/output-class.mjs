// What kind of output a command makes: a file's lines, a search's hits, a test's or a build's report, or something else.
// Judged by the command alone, as a gate would have to.
const SKIP = /^(?:cd\s+\S+|export\s+\S+|source\s+\S+|\.\s+\S+|echo\b.*|pwd|set\s+-\S+|true)$/;
const PREFIX = /^(?:[A-Za-z_]\w*=\S*\s+|time\s+|timeout\s+\S+\s+|command\s+|sudo\s+|env\s+|xvfb-run\s+)+/;
const RUNS =
  /^(?:(?:python|node|ruby|php|perl|java|deno|bun)[\d.]*\s|pytest|tox|(?:npm|npx|pnpm|yarn)\s|(?:cargo|go|make|cmake|ctest|ninja|mvn|gradle|dotnet|jest|mocha|vitest|tsc|eslint|gcc|g\+\+|clang|javac|rustc|swift|bazel)\b|\.\/|pip\b|bash\s|sh\s)/;
const READS = /^\(?\s*(?:cat|nl|head|tail|less|more|sed\s+-n|awk)\b/;
const SEARCHES = /^(?:grep|egrep|fgrep|rg|ag|ack|find|ls|tree|git\s+(?:grep|ls-files)|fd|locate|wc)\b/;

export const CLASSES = ["read", "search", "test/build", "other"];

export function classOf(command) {
  // A script written on the way is not what the output is of.
  const bare = command.replace(/<<\s*['"]?(\w+)['"]?[\s\S]*?\n\1\b/g, "");
  const parts = bare
    .split(/&&|\|\||;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !SKIP.test(part) && !/^cat\s*>/.test(part))
    .map((part) => part.replace(PREFIX, ""));
  if (parts.some((part) => RUNS.test(part))) return "test/build";
  if (parts.some((part) => READS.test(part))) return "read";
  return parts.some((part) => SEARCHES.test(part)) ? "search" : "other";
}
