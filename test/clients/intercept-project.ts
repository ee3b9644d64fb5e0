// A project whose files and commands print more than a model should read, a home that `jeeves init` has set up, and the
// texts as they are without a cut.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MeterEntry } from "@jeeves/cut";

/** A real file of a pinned dependency, a question about it, and a line of the answer without its first two spaces. */
const COMMANDER = fileURLToPath(new URL("../../node_modules/commander/lib/", import.meta.url));
export const FOCUS = "How is an unknown option reported, and which similar option is suggested?";
export const ANSWER = "    suggestion = suggestSimilar(flag, candidateFlags);";

const JEEVES = fileURLToPath(new URL("../../packages/cli/dist/jeeves.js", import.meta.url));

export interface InterceptProject {
  readonly dir: string;
  readonly root: string;
  readonly home: string;
  readonly stateDir: string;
  readonly source: string;
  /** More than Claude Code reads at once. */
  readonly large: string;
  readonly log: string;
  readonly table: string;
  jeeves(args: readonly string[], env: Readonly<Record<string, string>>): string;
  /** What the meter has written down, in order. */
  meter(stateDir?: string): MeterEntry[];
  /** Every file under the home, by content: what `--remove` must bring back. */
  fingerprint(): Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export const FAILURES = [1, 2, 3].map((n) => [
  ` FAIL  test/delivery-${n}.test.ts > a failed delivery ${n} waits before it is tried again`,
  `AssertionError: expected ${n}20000 to be less than or equal to 60000`,
]);

export async function createInterceptProject(): Promise<InterceptProject> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "jeeves-intercept-")));
  const [root, home, stateDir] = [join(dir, "project"), join(dir, "home"), join(dir, "state")];
  await mkdir(join(root, "src"), { recursive: true });
  await mkdir(home);
  const source = await readFile(join(COMMANDER, "command.js"), "utf8");
  const large = `${source}\n${await readFile(join(COMMANDER, "help.js"), "utf8")}`;
  const log = makeLog();
  const table = `${Array.from({ length: 900 }, (_, i) => `entry ${i} of the table, which is long (${i * 7919})`).join("\n")}\n`;
  await writeFile(join(root, "src", "command.js"), source);
  await writeFile(join(root, "src", "large.js"), large);
  await writeFile(join(root, "test.log"), log);
  await writeFile(join(root, "table.txt"), table);
  await writeFile(join(root, "small.txt"), "a small file\nwith two lines\n");
  await writeFile(join(root, "run-tests.sh"), "cat test.log\nexit 1\n");
  await writeFile(
    join(root, "package.json"),
    JSON.stringify({ name: "delivery", private: true, scripts: { test: "sh run-tests.sh", lint: "cat table.txt" } }),
  );
  return {
    dir,
    root,
    home,
    stateDir,
    source,
    large,
    log,
    table,
    jeeves: (args, env) =>
      execFileSync(process.execPath, [JEEVES, ...args], { cwd: root, env: { ...env }, encoding: "utf8" }),
    meter: (dir = stateDir) => meterIn(dir),
    fingerprint: () => fingerprintOf(home),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

function makeLog(): string {
  const lines: string[] = ["> vitest run", ""];
  for (let index = 1; index <= 20_000; index++) {
    lines.push(` ✓ test/area-${index % 23}.test.ts > case ${index} of the quick kind ${index % 13}ms`);
    if (index % 6_000 === 0) lines.push("", ...(FAILURES[index / 6_000 - 1] ?? []), "");
  }
  lines.push("", " Test Files  3 failed | 23 passed (26)", "      Tests  3 failed | 20000 passed (20003)");
  return `${lines.join("\n")}\n`;
}

function meterIn(stateDir: string): MeterEntry[] {
  const dir = join(stateDir, "meter");
  const names = existsSync(dir) ? readdirSync(dir).sort() : [];
  const lines = names.flatMap((name) => readFileSync(join(dir, name), "utf8").trim().split("\n"));
  return lines.map((line) => JSON.parse(line));
}

function fingerprintOf(dir: string): Record<string, string> {
  if (!existsSync(dir)) return {};
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}

const WAY_BACK =
  /^\[(?:weak match; )?rest: (?:(?:read by lines or )?recover_text |Read by lines; |Read \S+\/)prn_[a-z2-7]{12}(?:\.txt by lines)?\]$/;

/** The call of Claude Code's own Read for the first lines that a cut left out, as its last line names it. */
export function readFirstBlock(shown: string): { file_path: string; offset: number; limit: number } {
  const [, file = ""] = /\[(?:weak match; )?rest: Read (\S+) by lines\]$/.exec(shown) ?? [];
  const [, from, to] = /⟦… ×?\d+ lines (\d+)-(\d+)/.exec(shown) ?? [];
  return { file_path: file, offset: Number(from), limit: Math.min(40, Number(to) - Number(from) + 1) };
}

/** Lines of a text as Claude Code's Read numbers them. */
export function numberedLines(
  text: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): string {
  const lines = text.split("\n").slice(offset - 1, offset - 1 + limit);
  return lines.map((line, index) => `${offset + index}\t${line}`).join("\n");
}

/** Checks that a shown text is the raw one with blocks left out, and that each marker counts truly; gives the kept lines. */
export function checkCut(shown: string, raw: string, { numbered }: { readonly numbered: boolean }): string[] {
  const rawLines = raw.replace(/\n$/, "").split("\n");
  const lines = shown.replace(/\n$/, "").split("\n");
  const last = lines.pop() ?? "";
  if (!WAY_BACK.test(last)) throw new Error(`no way back: ${last}`);
  const kept: string[] = [];
  let next = 0;
  for (const line of lines) {
    const marker = /^⟦… (×?\d+) lines? (\d+)(?:-(\d+))?(?: like line \d+)?⟧$/.exec(line);
    if (marker === null) {
      const wanted = numbered ? `${next + 1}│ ${rawLines[next]}` : rawLines[next];
      if (line !== wanted)
        throw new Error(`line ${next + 1} is shown as ${JSON.stringify(line)}, not ${JSON.stringify(wanted)}`);
      kept.push(rawLines[next] ?? "");
      next += 1;
    } else {
      const [from, to] = [Number(marker[2]), Number(marker[3] ?? marker[2])];
      if (from !== next + 1) throw new Error(`${line} does not start at line ${next + 1}`);
      if (Number(marker[1]?.replace("×", "")) !== to - from + 1) throw new Error(`${line} counts wrongly`);
      next = to;
    }
  }
  if (next !== rawLines.length) throw new Error(`${rawLines.length - next} lines are missing at the end`);
  return kept;
}
