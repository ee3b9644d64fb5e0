import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { prune, WHY } from "../../src/index.ts";

const dir = mkdtempSync(join(tmpdir(), "jeeves-commits-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const git = (args: readonly string[], input = ""): string =>
  execFileSync("git", ["-C", dir, ...args], { encoding: "utf8", input, maxBuffer: 1 << 26 });
git(["init", "-q", "-b", "main"]);
git(
  ["fast-import", "--quiet"],
  Array.from({ length: 300 }, (_, i) => {
    const message = `Fix error ${i}: the parser fails on line ${i}\n\nTypeError: cannot read row ${i}\n`;
    const file = `failures-${i % 7}.ts`;
    return `commit refs/heads/main\ncommitter A <a@b.c> ${1_700_000_000 + i} +0000\ndata ${message.length}\n${message}\nM 644 inline ${file}\ndata 3\n${i % 10}\n\n`;
  }).join(""),
);

const errorsIn = async (text: string, kind?: "logs" | "docs"): Promise<string[]> => {
  const { kept } = await prune(text, { focus: "what changed", ...(kind === undefined ? {} : { kind }) });
  return text.split("\n").filter((_, i) => WHY[(kept[i] ?? 0) - 1] === "error");
};

describe("lists of commits", () => {
  it.each(["--oneline", "--oneline --graph", "", "--graph", "--stat", "--oneline --stat", "--format=fuller"])(
    "X-59 what the messages of git log %s name did not fail here",
    async (options) => {
      const text = git(["log", ...options.split(" ").filter((word) => word !== "")]);
      for (const kind of [undefined, "logs", "docs"] as const) expect(await errorsIn(text, kind)).toEqual([]);
    },
  );

  it("X-59 what fails behind a list of commits does", async () => {
    const text = `${git(["log", "--oneline"])}error: failed to push some refs to 'origin'\n`;
    expect((await errorsIn(text, "logs")).at(-1)).toBe("error: failed to push some refs to 'origin'");
  });

  it("X-59 a log whose lines begin with the id of a request is no list of commits", async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${(i * 7_919 + 268_435_456).toString(16)} INFO served ${i}`);
    lines[150] = "3f2a9bc1 ERROR the database is gone";
    expect(await errorsIn(lines.join("\n"), "logs")).toContain("3f2a9bc1 ERROR the database is gone");
  });
});
