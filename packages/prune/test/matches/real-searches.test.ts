// What real search programs print about this package's sources, read back and held against ripgrep's own JSON.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, describe, expect, it } from "vitest";
import { parseMatchLines } from "../../src/index.ts";

const cwd = mkdtempSync(join(tmpdir(), "jeeves-searches-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
// Paths and texts that look like one another's numbers.
cpSync(fileURLToPath(new URL("../../src", import.meta.url)), join(cwd, "a-1-b/src"), { recursive: true });
cpSync(fileURLToPath(new URL(".", import.meta.url)), join(cwd, "a-1-b/c d-2-"), { recursive: true });
const PATTERN = "lines|:\\d+:|-\\d+-";

function print(program: string, args: readonly string[]): string {
  const { stdout, status, error } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `exit code ${status}`}`);
  return stdout;
}

function places(found: Iterable<readonly [string, number]>): string[] {
  return [...new Set([...found].map(([path, line]) => `${path}:${line}`))].sort();
}

const truth = places(
  print(rgPath, ["--json", "-e", PATTERN, "a-1-b"])
    .split("\n")
    .filter((line) => line.startsWith('{"type":"match"'))
    .map((line) => JSON.parse(line).data)
    .map((data): [string, number] => [data.path.text, data.line_number]),
);

describe("X-58 the output of real searches", () => {
  it.each([
    ["rg", ["-n"]],
    ["rg", ["-n", "--column"]],
    ["rg", ["--vimgrep"]],
    ["rg", ["-n", "-C3"]],
    ["rg", ["-n", "-A1"]],
    ["rg", ["-n", "-o"]],
    ["rg", ["-n", "--heading"]],
    ["rg", ["-n", "--heading", "-C2", "--column"]],
    ["rg", ["-n", "--color=always", "-C1"]],
    ["rg", ["-n", "--stats"]],
    ["grep", ["-rnE"]],
    ["grep", ["-rnE", "-C2"]],
    ["git", ["grep", "--no-index", "-nE"]],
    ["git", ["grep", "--no-index", "-nE", "-C1", "-p"]],
  ] as const)("%s %j", (program, args) => {
    expect(truth.length).toBeGreaterThan(50);
    const pattern = program === "rg" ? PATTERN : PATTERN.replaceAll("\\d", "[0-9]");
    const text = print(program === "rg" ? rgPath : program, [...args, "-e", pattern, "a-1-b"]);
    const entries = parseMatchLines(text)?.entries ?? [];
    const found = entries.flatMap((entry): [string, number][] =>
      entry.kind === "match" ? [[entry.path, entry.line ?? 0]] : [],
    );
    expect(places(found)).toEqual(truth);
  });
});
