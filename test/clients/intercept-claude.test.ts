// Claude Code's own tools under our hooks, set up by `jeeves init` alone: what its model gets, line by line.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClaudeCodeOutcome } from "./claude-code.ts";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
  numberedLines,
  readFirstBlock,
} from "./intercept-project.ts";
import type { ToolOutput, Turn } from "./scripted-model.ts";
import { unnumbered } from "./unnumbered.ts";

/** In the home, where a path is written with ~. */
const stateDirOf = ({ home }: InterceptProject) => join(home, "state");
const MARKER = "⟦… 35 lines 120-154⟧";
const OWN_SETTINGS =
  '{\n    "permissions": {"allow": ["Bash(npm test)", "Bash(npm run lint*)", "Bash(cat small.txt)", "Read", "Edit"], "deny": ["Bash(rm *)", "Read(./secret.txt)"]}\n}';

describe.each(VERSIONS)("Claude Code $version", (version) => {
  let project: InterceptProject;
  let outcome: ClaudeCodeOutcome;
  let env: Record<string, string>;

  beforeAll(async () => {
    project = await createInterceptProject();
    env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: stateDirOf(project) };
    await mkdir(join(project.home, ".claude"), { recursive: true });
    await writeFile(join(project.home, ".claude", "settings.json"), OWN_SETTINGS);
    await writeFile(join(project.root, "secret.txt"), "sesame\n");
    const before = project.fingerprint();
    project.jeeves(["init", "claude-code"], env);
    expect(project.fingerprint()).not.toEqual(before);
    const at = (name: string) => join(project.root, name);
    const script: Turn[] = [
      { call: { tool: "Read" }, with: { file_path: at("src/command.js") } },
      { call: { tool: "Read" }, with: { file_path: at("small.txt") } },
      { call: { tool: "Bash" }, with: { command: "npm test", description: "Run the tests" } },
      { call: { tool: "Bash" }, with: { command: "npm run lint --silent" } },
      { call: { tool: "Bash" }, with: { command: "cat small.txt" } },
      { call: { tool: "Bash" }, with: { command: "rm small.txt" } },
      { call: { tool: "Bash" }, with: { command: "touch not-allowed.txt" } },
      { call: { tool: "Read" }, with: { file_path: at("secret.txt") } },
      {
        call: { tool: "Edit" },
        with: { file_path: at("small.txt"), old_string: "a small file", new_string: `a small file\n${MARKER}` },
      },
      {
        call: { tool: "Edit" },
        with: { file_path: at("small.txt"), old_string: "a small file", new_string: "an edited file" },
      },
      { call: { tool: "Read" }, with: { file_path: at("src/large.js") } },
      { call: { tool: "Read" }, with: (seen) => readFirstBlock(seen.outputs[2]?.parts.join("\n") ?? "") },
      { say: "Done." },
    ];
    outcome = await runClaudeCode(version, {
      prompt: FOCUS,
      script,
      cwd: project.root,
      home: project.home,
      env: { JEEVES_STATE_DIR: stateDirOf(project) },
    });
  });
  afterAll(() => project?.remove());

  const output = (index: number): ToolOutput => {
    const found = outcome.seen.outputs[index];
    if (found === undefined) throw new Error(`no output ${index}`);
    return found;
  };
  const text = (index: number) => output(index).parts.join("\n");

  it("jeeves init: the client starts our server", () => {
    expect(outcome.servers).toContainEqual({ name: "jeeves", status: "connected" });
  });

  it("a native Read of 1,500 lines reaches the model pruned, and numbered truly", () => {
    const kept = checkCut(unnumbered(text(0)), project.source, { numbered: true });
    expect(project.source.split("\n").length).toBeGreaterThan(1_500);
    expect(kept).toContain(`  ${ANSWER}`);
    expect(kept.length).toBeLessThan(700);
  });

  it("of a file that the client reads by pages the first page is pruned, and the client still says where it ended", () => {
    const told = /showing lines 1-(\d+) of (\d+)/.exec(`${text(10)}\n${outcome.seen.instructions}`);
    const all = project.large.split("\n");
    expect(Number(told?.[2])).toBe(all.length);
    const page = all.slice(0, Number(told?.[1])).join("\n");
    const kept = checkCut(unnumbered(text(10)), page, { numbered: true });
    expect(kept).toContain(`  ${ANSWER}`);
    expect(kept.length).toBeLessThan(all.length / 4);
  });

  it("a small file is read as it is", () => {
    expect(text(1)).toMatch(/^1\ta small file\n2\twith two lines\n3\t$/);
  });

  it("X-51 a failing npm test of 20,000 lines keeps every failure and its exit code", () => {
    const [first = "", ...rest] = text(2).split("\n");
    expect(first).toBe("Exit code 1");
    expect(output(2).isError).toBe(true);
    for (const line of FAILURES.flat()) expect(rest).toContain(line);
    expect(rest).toContain("      Tests  3 failed | 20000 passed (20003)");
    expect(text(2).length).toBeLessThanOrEqual(10_000);
    expect(text(2)).not.toContain("characters truncated");
    expect(text(2)).toMatch(/\[rest: Read ~\/state\/store\/[a-z2-7]\/prn_[a-z2-7]{12}\.txt by lines\]$/);
  });

  it("X-56 no tool of ours is listed, and nothing in the prompt speaks of us", () => {
    const { tools, instructions } = outcome.seen;
    expect(tools.length).toBeGreaterThan(3);
    expect(tools.filter(({ server }) => server === "jeeves")).toEqual([]);
    expect(instructions).not.toMatch(/mcp__jeeves|recover_text|MCP Server Instructions/);
  });

  it("X-21 lines of a stored text of 20,000 come back by the client's own Read, and are counted as a recovery", () => {
    const { file_path: file, offset, limit } = readFirstBlock(text(2));
    const printed = readFileSync(file.replace(/^~/, project.home), "utf8");
    expect(printed).toContain(project.log.trimEnd());
    expect(limit).toBeGreaterThan(3);
    expect(text(11)).toContain(numberedLines(printed, { offset, limit }));
    const recovered = project.meter(stateDirOf(project)).filter(({ kind }) => kind === "recovered");
    expect(recovered).toMatchObject([{ tool: "Read", prune_id: expect.stringMatching(/^prn_/) }]);
    expect(recovered[0]?.raw_tokens).toBeGreaterThan(limit * 5);
    expect(recovered[0]?.context_tokens).toBeGreaterThan(0);
  });

  it("X-51 an output of 40,000 characters fits into what the client shows, as lines of it", () => {
    expect(project.table.length).toBeGreaterThan(40_000);
    expect(text(3).length).toBeLessThanOrEqual(30_000);
    checkCut(text(3), project.table, { numbered: false });
  });

  it("a small command's output is the bare command's", () => {
    expect(text(4)).toBe("a small file\nwith two lines");
  });

  it("the user's own rules hold: what is denied stays denied, and what is not allowed is asked for", () => {
    expect(output(5).isError).toBe(true);
    expect(text(5)).toMatch(/denied/i);
    expect(output(6).isError).toBe(true);
    expect(existsSync(join(project.root, "not-allowed.txt"))).toBe(false);
    expect(output(7).isError).toBe(true);
    expect(text(7)).not.toContain("sesame");
  });

  it("an Edit that would write a marker is refused with the way to the real lines; another one is made", () => {
    expect(output(8).isError).toBe(true);
    expect(text(8)).toContain(MARKER);
    expect(text(8)).toContain("Read lines 120-154");
    expect(output(9).isError).toBe(false);
    expect(readFileSync(join(project.root, "small.txt"), "utf8")).toBe("an edited file\nwith two lines\n");
  });

  it("jeeves init is idempotent, and --remove leaves the settings byte for byte as they were", () => {
    const settings = join(project.home, ".claude", "settings.json");
    const once = readFileSync(settings, "utf8");
    project.jeeves(["init", "claude-code"], env);
    expect(readFileSync(settings, "utf8")).toBe(once);
    project.jeeves(["init", "claude-code", "--remove"], env);
    expect(readFileSync(settings, "utf8")).toBe(OWN_SETTINGS);
    expect(readFileSync(join(project.home, ".claude", ".claude.json"), "utf8")).not.toContain("jeeves");
  });

  it("jeeves stats counts the cuts of this run", () => {
    const stats = JSON.parse(project.jeeves(["stats", "--json", "--by", "tool"], env));
    expect(stats).toMatchObject({ cuts: 4, recoveries: 1, by: "tool" });
    expect(stats.net).toBeGreaterThan(0);
  });
});
