// X-58 in the real clients: a search of 168 matches is cut, its first answer names every match, and the same search again
// shows everything. Claude Code has a Grep of its own where it is allowed by name; Codex runs `rg` in a shell.
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../packages/cut/test/search/match-places.ts";
import { createClientEnv } from "./agent.ts";
import { writeCallSites } from "./call-sites.ts";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { codexCommand } from "./codex-command-line.ts";
import { createInterceptProject, type InterceptProject } from "./intercept-project.ts";
import type { Turn } from "./scripted-model.ts";

const PROMPT = "List every call site of normalizePath";

async function given() {
  const project = await createInterceptProject();
  return { project, found: await writeCallSites(project) };
}

/** The lines that a client showed, in whatever order ripgrep found them. */
const sorted = (shown: string) => shown.trimEnd().split("\n").sort();

describe.each(VERSIONS)("Claude Code $version", (version) => {
  let project: InterceptProject;
  let found: string[];
  let shown: string[];

  beforeAll(async () => {
    ({ project, found } = await given());
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    project.jeeves(["init", "claude-code"], env);
    const search = {
      call: { tool: "Grep" },
      with: { pattern: "normalizePath", path: "lib", output_mode: "content", "-n": true },
    };
    const limited: Turn = { call: { tool: "Grep" }, with: { ...search.with, head_limit: 155 } };
    const { seen } = await runClaudeCode(version, {
      prompt: PROMPT,
      script: [search, search, limited, { say: "Done." }],
      cwd: project.root,
      home: project.home,
      env: { JEEVES_STATE_DIR: project.stateDir },
      args: ["--allowedTools", "Grep"],
    });
    shown = seen.outputs.map(({ parts }) => parts.join("\n"));
  });
  afterAll(() => project?.remove());

  it("X-58 Grep: every path and line of 168 matches is in the first answer", () => {
    const [first = ""] = shown;
    expect(placesIn(first)).toEqual(placesOf(found));
    expect(first.length).toBeLessThan(found.join("\n").length * 0.75);
    expect(first).toMatch(/rest: Read \S+prn_[a-z2-7]{12}\.txt by lines\]/);
  });

  it("X-58 Grep: the same search again shows everything", () => {
    expect(sorted(shown[1] ?? "")).toEqual([...found].sort());
  });

  it("X-58 Grep: a search that the client cut says so below the list", () => {
    const [, , limited = ""] = shown;
    expect(placesIn(limited)).toHaveLength(155);
    expect(limited).toMatch(/prn_[a-z2-7]{12}\.txt by lines\]\n+\[Showing results with pagination = limit: 155\]$/);
  });
});

describe("Codex", () => {
  let project: InterceptProject;
  let found: string[];
  let shown: string[];

  beforeAll(async () => {
    ({ project, found } = await given());
    const clientEnv = await createClientEnv(project.home);
    const env = {
      ...clientEnv,
      PATH: `${join(project.root, "bin")}:${clientEnv.PATH}`,
      CODEX_HOME: join(project.home, ".codex"),
      JEEVES_STATE_DIR: project.stateDir,
    };
    await mkdir(env.CODEX_HOME);
    await mkdir(join(project.root, "bin"));
    await symlink(rgPath, join(project.root, "bin", "rg"));
    project.jeeves(["init", "codex"], env);
    const search: Turn = {
      call: { tool: "exec_command" },
      with: { cmd: "rg -n normalizePath lib" },
    };
    const script = [search, search, { say: "Done." }];
    const seen = await codexCommand({ prompt: PROMPT, script, cwd: project.root, env, mode: "direct" });
    shown = seen.outputs.map(({ parts }) => parts.join("\n").split("Output:\n").slice(1).join("Output:\n"));
  });
  afterAll(() => project?.remove());

  it("X-58 rg: every path and line of 168 matches is in the first answer", () => {
    const [first = ""] = shown;
    expect(placesIn(first)).toEqual(placesOf(found));
    expect(first.length).toBeLessThanOrEqual(9_000);
    expect(first).toMatch(/recover_text prn_[a-z2-7]{12}\]/);
  });

  it("X-58 rg: the same search again shows everything", () => {
    expect(sorted(shown[1] ?? "")).toEqual([...found].sort());
  });
});
