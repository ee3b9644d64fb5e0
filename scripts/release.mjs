// `npm run release`: checks that a version can be released, makes what people install in out/, and tags it. It pushes and
// publishes nothing. `--check` only checks.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./setup.mjs";

const STEPS = ["lint", "typecheck", "test", "package"];

/**
 * Why this version cannot be released: one line for each reason, none where it can.
 * @param {{ version: string, changelog: string, tags: readonly string[], dirty: readonly string[] }} given
 * @returns {string[]}
 */
export function refusals({ version, changelog, tags, dirty }) {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [name = "", ...lines] = section.split("\n");
        return [name.trim(), lines.filter((line) => line.startsWith("- ")).length];
      }),
  );
  const unreleased = sections.get("Unreleased");
  return [
    /^\d+\.\d+\.\d+$/.test(version) ? "" : `package.json: the version is "${version}"; it should be like 0.3.0`,
    (sections.get(version) ?? 0) > 0 ? "" : `CHANGELOG.md: there is no "## ${version}" with lines below it`,
    unreleased === undefined ? 'CHANGELOG.md: there is no "## Unreleased"; others add their lines there' : "",
    unreleased ? `CHANGELOG.md: ${unreleased} lines are under Unreleased; move them below ${version}` : "",
    tags.includes(`v${version}`) ? `the tag v${version} is there already: raise the version in package.json` : "",
    dirty.length > 0 ? `the work tree has changes: ${dirty.slice(0, 3).join(", ")}` : "",
  ].filter((line) => line !== "");
}

function git(...args) {
  const done = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`git ${args[0]}: ${done.stderr.trim()}`);
  return done.stdout.split("\n").filter((line) => line !== "");
}

function main(args) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const reasons = refusals({ version, changelog, tags: git("tag"), dirty: git("status", "--porcelain") });
  for (const reason of reasons) process.stderr.write(`release: ${reason}\n`);
  if (reasons.length > 0) return 1;
  process.stdout.write(`release: ${version} can be released\n`);
  if (args.includes("--check")) return 0;
  for (const step of STEPS) {
    const { status } = spawnSync("npm", ["run", step], { cwd: root, stdio: "inherit" });
    if (status === 0) continue;
    process.stderr.write(`release: npm run ${step} failed; nothing was tagged\n`);
    return 1;
  }
  git("tag", "--annotate", `v${version}`, "--message", `Jeeves ${version}`);
  process.stdout.write(`release: out/ has the packages, and v${version} is tagged here. git push origin v${version}\n`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
