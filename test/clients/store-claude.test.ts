// X-61 in the real Claude Code: a stored text belongs to the project that it was cut in. Its own sessions read it, by file
// and by id, without being asked; a session of another project does neither.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { createInterceptProject, FOCUS, type InterceptProject } from "./intercept-project.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

describe.each(VERSIONS)("Claude Code $version", (version) => {
  let project: InterceptProject;
  let other = "";
  let env: Record<string, string>;
  let own: readonly string[] = [];
  let foreign: readonly string[] = [];

  const search: Turn[] =
    version.version === "2.1.325"
      ? [{ call: { tool: "ToolSearch" }, with: { query: "select:mcp__jeeves__recover_text" } }]
      : [];
  async function run(cwd: string, script: readonly Turn[]): Promise<string[]> {
    const turns = [...search, ...script, { say: "Done." }];
    const { seen } = await runClaudeCode(version, { prompt: FOCUS, script: turns, cwd, home: project.home, env });
    return seen.outputs.slice(search.length).map(({ parts }) => parts.join("\n"));
  }
  const storedFile = (id: string) => join(project.stateDir, "store", id.charAt(4), `${id}.txt`);
  const readFile = (path: string): Turn => ({ call: { tool: "Read" }, with: { file_path: path, limit: 3 } });
  const idIn = (text: string) => /prn_[a-z2-7]{12}/.exec(text)?.[0] ?? "prn_none";
  const lastId = (seen: Conversation) => idIn(seen.outputs.map(({ parts }) => parts.join("\n")).join("\n"));

  beforeAll(async () => {
    project = await createInterceptProject();
    other = join(project.dir, "other");
    mkdirSync(other);
    writeFileSync(join(other, "small.txt"), "a small file\n");
    writeFileSync(join(project.home, "elsewhere.txt"), "sesame\n");
    for (const cwd of [project.root, other]) execFileSync("git", ["init", "--quiet"], { cwd });
    env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    project.jeeves(["init", "claude-code", "--both"], env);
    own = await run(project.root, [
      { call: { tool: "Read" }, with: { file_path: join(project.root, "src/command.js") } },
      { call: { tool: "Read" }, with: (seen) => ({ file_path: storedFile(lastId(seen)), limit: 3 }) },
      { call: { server: "jeeves", tool: "recover_text" }, with: (seen) => ({ prune_id: lastId(seen) }) },
      readFile(join(project.home, "elsewhere.txt")),
    ]);
    const id = idIn(own[0] ?? "");
    const stored = storedFile(id);
    symlinkSync(stored, join(other, "link.txt"));
    foreign = await run(other, [
      readFile(stored),
      readFile(
        join(dirname(stored), "..", "..", "store", id.charAt(4), `${id}.txt`).replace("/store/", "/store/../store/"),
      ),
      readFile(join(other, "link.txt")),
      readFile(stored.replace(/\.txt$/, ".json")),
      { call: { server: "jeeves", tool: "recover_text" }, with: { prune_id: id } },
      { call: { server: "jeeves", tool: "recover_text" }, with: { prune_id: "prn_aaaaaaaaaaaa" } },
      readFile(join(other, "small.txt")),
    ]);
  });
  afterAll(() => project?.remove());

  it("X-61 a session of the project reads its stored text by its file and by its id, without being asked", () => {
    expect(own[0]).toMatch(/recover_text prn_[a-z2-7]{12}/);
    const [first = ""] = project.source.split("\n");
    expect(own[1]).toContain(first);
    expect(own[2]).toContain(first);
  });

  it("X-61 the hook gives no permission for anything else", () => {
    expect(own[3]).not.toContain("sesame");
    expect(own[3]).toMatch(/permission|not exist/i);
  });

  it("X-61 a session of another project reads it by neither, whatever name the file is given", () => {
    const [first = ""] = project.source.split("\n");
    expect(foreign).toHaveLength(7);
    for (const text of foreign.slice(0, 6)) expect(text).not.toContain(first);
    for (const text of foreign.slice(0, 4)) expect(text).toContain("not a stored text of this project");
    expect(foreign[4]).toMatch(/no stored text prn_/);
    // The answer does not reveal whether the id exists.
    const id = idIn(own[0] ?? "");
    expect(foreign[4]?.replaceAll(id, "")).toBe(foreign[5]?.replaceAll("prn_aaaaaaaaaaaa", ""));
    expect(foreign[6]).toContain("a small file");
  });
});
