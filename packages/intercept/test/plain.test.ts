// Clients without a module here: an adapter of theirs sends results in the plain form that README.md describes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStore } from "@jeeves/state";
import { afterEach, describe, expect, it } from "vitest";
import { placesIn } from "../../cut/test/search/match-places.ts";
import { askerOf, outputIn } from "./ask-by-plugin.ts";
import { ANSWER, given, makeSource, readEvent, shownText } from "./given.ts";
import { withPaths } from "./with-paths.ts";

const source = makeSource();
const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

async function start() {
  const stateDir = await mkdtemp(join(tmpdir(), "jeeves-plain-"));
  made.push({ remove: () => rm(stateDir, { recursive: true, force: true }) });
  const env = { JEEVES_STATE_DIR: stateDir, JEEVES_RECOVERY: "file" };
  const one = await given(env, createDiskStore({ env: { ...env, HOME: stateDir, TMPDIR: stateDir } }));
  made.push(one);
  return { ...one, ask: askerOf(one, "somebodys-client") };
}

describe("a client without a module here", () => {
  it("a read keeps the answer with true numbers; named lines stay whole", async () => {
    const { ask, dir } = await start();
    const path = join(dir, "a.ts");
    const shown = outputIn(await ask("PostToolUse", "Read", { file_path: path }, { output: source }));
    const lines = source.split("\n");
    const kept = [...shown.matchAll(/^(\d+)│ (.*)$/gm)];
    expect(kept.length).toBeLessThan(lines.length / 2);
    for (const [, number, text] of kept) expect(text).toBe(lines[Number(number) - 1]);
    expect(kept.map(([, , text]) => text)).toContain(ANSWER);
    expect(shown).toMatch(/\[rest: .*prn_[a-z2-7]{12}\]$/);
    const part = { output: lines.slice(1_000).join("\n"), first_line: 1_001 };
    expect(await ask("PostToolUse", "Read", { file_path: join(dir, "b.ts"), offset: 1_001 }, part)).toBeUndefined();
    // Without a range in the call, the lines of a part would get wrong numbers.
    expect(await ask("PostToolUse", "Read", { file_path: join(dir, "b.ts") }, part)).toBeUndefined();
  });

  it("X-59 a failing command keeps its failure, and names a path that any reader opens", async () => {
    const { ask } = await start();
    const log = ["> vitest run", ...Array.from({ length: 4_000 }, (_, i) => ` ✓ case ${i} of area ${i % 17}`)];
    log.splice(2_000, 0, " FAIL  test/a.test.ts > waits", "AssertionError: expected 1 to be 2");
    const response = { output: `${log.join("\n")}\n`, exit_code: 1 };
    const shown = outputIn(await ask("PostToolUse", "Bash", { command: "npm test" }, response));
    expect(shown).toContain("AssertionError: expected 1 to be 2");
    expect(shown.length).toBeLessThan(5_000);
    const [, path = ""] = /\[rest: Read (\/\S+\.txt) by lines\]$/.exec(shown) ?? [];
    expect(await ask("PreToolUse", "Read", { file_path: path })).toEqual({ kind: "allow" });
  });

  it("X-58 a search names every match", async () => {
    const { ask } = await start();
    const found = Array.from({ length: 100 }, (_, i) => {
      const about = i % 20 === 7 ? "checks the voucher limit" : "as the registry of the module has it, ".repeat(8);
      return `src/m${Math.floor(i / 20)}.ts:${(i % 20) * 3 + 1}:const v${i} = normalize(rows[${i}].at); // ${about}`;
    });
    const response = { output: found.join("\n") };
    const shown = outputIn(await ask("PostToolUse", "Grep", { pattern: "normalize" }, response));
    expect(shown.length).toBeLessThan(response.output.length / 2);
    expect(placesIn(withPaths(shown))).toEqual(found.map((line) => line.split(":").slice(0, 2).join(":")).sort());
  });

  it("X-57 another server's text is measured against itself, however long: this client shows all of it", async () => {
    const { ask } = await start();
    const long = `${source}\n${source.replaceAll("Limit", "Bound").repeat(3)}`;
    const shown = outputIn(await ask("PostToolUse", "mcp__docs__fetch", { query: "voucher" }, { output: long }));
    expect(shown).toContain(ANSWER);
    expect(shown.length).toBeLessThan(long.length / 2);
    expect(await ask("PostToolUse", "mcp__jeeves__read", {}, { output: long })).toBeUndefined();
    expect(await ask("PostToolUse", "todo_list", {}, { output: long })).toBeUndefined();
  });

  it("X-57 so is a file, whatever the limit of other results", async () => {
    const { ask, dir } = await start();
    const rows = Array.from({ length: 4_000 }, (_, i) => `row ${i} of the table, which is a long one`).join("\n");
    const shown = outputIn(await ask("PostToolUse", "Read", { file_path: join(dir, "a.txt") }, { output: rows }));
    expect(shown.length).toBeLessThan(rows.length / 2);
  });

  it("an edit that would write a marker is refused", async () => {
    const { ask } = await start();
    const edit = { file_path: "a.ts", old_string: "a", new_string: "⟦… 35 lines 120-154⟧" };
    expect(await ask("PreToolUse", "Edit", edit)).toMatchObject({ kind: "refuse" });
  });

  it("results in Claude Code's own form are answered in that form", async () => {
    const { handle, dir } = await start();
    const answer = await handle(readEvent(join(dir, "a.ts"), source), "somebodys-client");
    expect(shownText(answer)).toContain(ANSWER);
  });
});
