// Definitions whose name no other definition has, and lines of code, spread evenly over a project.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";

const DEFINITION =
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub(?:\([^)]*\))?\s+)?(?:def|class|function|func|fn|struct|enum|trait|interface|type)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w{3,})/;
const MAX_LINE_CHARS = 160;

/** So many of each, the same at each run. */
export function sampleProject(dir, definitionCount, lineCount) {
  const paths = execFileSync(rgPath, ["--files", "--no-config", "-tpy", "-tjs", "-tts", "-tgo", "-trust", "-tjava"], {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
    .trim()
    .split("\n")
    .sort();
  const byName = new Map();
  const lines = [];
  for (const path of paths) {
    readFileSync(join(dir, path), "utf8")
      .split("\n")
      .forEach((given, n) => {
        const text = given.trim();
        const name = DEFINITION.exec(given)?.[1];
        if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), { name, path, line: n + 1 }]);
        if (/[a-z]\w{3,}.*\W.*[a-z]\w{3,}/.test(text) && text.length <= MAX_LINE_CHARS && !text.includes("`"))
          lines.push({ text, path, line: n + 1 });
      });
  }
  const definitions = [...byName.values()].filter((places) => places.length === 1).flat();
  return { definitions: spread(definitions, definitionCount), lines: spread(lines, lineCount) };
}

function spread(all, count) {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, n) => all[Math.floor(n * step)]);
}
