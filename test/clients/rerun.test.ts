// A failing test run, then the same command again with one new failure: what the model gets the second time.
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { type ClaudeCodeVersion, claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { codexCommand } from "./codex-command-line.ts";
import { createInterceptProject, FOCUS, type InterceptProject } from "./intercept-project.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

/** Two runs of vitest, recorded. */
const RUNS = fileURLToPath(new URL("../../packages/intercept/test/reruns/", import.meta.url));
const PRINTS_BOTH = "if [ -e ran ]; then cat vitest-2.txt; else cat vitest-1.txt; fi\ntouch ran\nexit 1\n";
const ALLOWED = JSON.stringify({ permissions: { allow: ["Bash(npm test)"] } });

async function createProject(): Promise<InterceptProject> {
  const project = await createInterceptProject();
  for (const name of ["vitest-1.txt", "vitest-2.txt"]) await copyFile(join(RUNS, name), join(project.root, name));
  await writeFile(join(project.root, "run-tests.sh"), PRINTS_BOTH);
  return project;
}

const SESSION = "11111111-2222-4333-8444-555555555555";
const RUN: Turn = { call: { tool: "Bash" }, with: { command: "npm test" } };
const DONE: Turn = { say: "Done." };

/** Claude Code with its hooks, in one project. */
async function createClaude(version: ClaudeCodeVersion, { home, stateDir, root: cwd, jeeves }: InterceptProject) {
  await mkdir(join(home, ".claude"), { recursive: true });
  await writeFile(join(home, ".claude", "settings.json"), ALLOWED);
  jeeves(["init", "claude-code"], { ...(await claudeEnv(home)), JEEVES_STATE_DIR: stateDir });
  const env = { JEEVES_STATE_DIR: stateDir };
  return async (script: readonly Turn[], args: readonly string[] = []) =>
    (await runClaudeCode(version, { prompt: FOCUS, script, cwd, home, env, args })).seen;
}

async function runClaude(version: ClaudeCodeVersion, project: InterceptProject): Promise<Conversation> {
  const claude = await createClaude(version, project);
  return claude([RUN, RUN, DONE]);
}

async function runCodex(project: InterceptProject, mode: "direct" | "code"): Promise<Conversation> {
  const codexHome = join(project.home, ".codex");
  await mkdir(codexHome);
  const own = { CODEX_HOME: codexHome, JEEVES_STATE_DIR: project.stateDir };
  const env = { ...(await createClientEnv(project.home)), ...own };
  project.jeeves(["init", "codex"], env);
  const code = 'const { output } = await tools.exec_command({ cmd: "npm test" }); text(output);';
  const run: Turn =
    mode === "direct"
      ? { call: { tool: "exec_command" }, with: { cmd: "npm test" } }
      : { call: { tool: "exec" }, with: { code } };
  const script = [run, run, { say: "Done." }];
  return codexCommand({ prompt: FOCUS, script, cwd: project.root, env, mode });
}

const CLIENTS = [
  ...VERSIONS.map((version) => ({
    client: `Claude Code ${version.version}`,
    run: (project: InterceptProject) => runClaude(version, project),
  })),
  ...(["direct", "code"] as const).map((mode) => ({
    client: `Codex, ${mode} mode`,
    run: (project: InterceptProject) => runCodex(project, mode),
  })),
];

describe.each(CLIENTS)("$client", ({ run }) => {
  let project: InterceptProject;
  let seen: Conversation;
  beforeAll(async () => {
    project = await createProject();
    seen = await run(project);
  });
  afterAll(() => project?.remove());
  const text = (index: number) => seen.outputs[index]?.parts.join("\n") ?? "";

  it("X-56 the first run is shown with all of its failures", () => {
    expect(text(0)).toContain("AssertionError: expected 7 to be 6");
    expect(text(0)).toContain("AssertionError: expected 10 to be 6");
    expect(text(0)).not.toContain("as before");
  });

  it("X-56 the second one names those that are as before, and shows the new one and the changed one", () => {
    const lines = text(1).split("\n");
    const note = lines.find((line) => line.includes("failures as before")) ?? "";
    expect(note).toMatch(
      /^\[6 failures as before, shown at an earlier run of this command: test\/f1\.test\.js > part 1/,
    );
    expect(note).toContain("1 new: test/f4.test.js > is new and fails");
    expect(note).toContain("1 changed: test/f2.test.js > part 2 > adds numbers");
    expect(lines).toContain("TypeError: the queue is closed");
    expect(lines).toContain("AssertionError: expected 18 to be 6 // Object.is equality");
    expect(text(1)).not.toContain("AssertionError: expected 7 to be 6");
    expect(lines).toContain("      Tests  8 failed | 5 passed (13)");
    expect(text(1)).toMatch(/^Exit code 1$|exited with code 1$|^Script completed$/m);
    expect(text(1)).toMatch(/\[rest: (?:recover_text|Read \S+) ?\S*prn_[a-z2-7]{12}(?:\.txt by lines)?\]\s*$/);
  });
});

describe.each(VERSIONS)("Claude Code $version, rewound", (version) => {
  let project: InterceptProject;
  afterAll(() => project?.remove());

  it("X-56 shows a run's failures in full where the run before is on the branch left behind, and names them after it", async () => {
    project = await createProject();
    const claude = await createClaude(version, project);
    const hello: Turn = { say: "Hello." };
    await claude([hello], ["--session-id", SESSION]);
    const [greeted = ""] = await modelRecords(project.home);
    const first = await claude([hello, RUN, DONE], ["--resume", SESSION]);
    expect(first.outputs).toHaveLength(1);
    const rewind = ["--resume", SESSION, "--resume-session-at", greeted];
    const { outputs } = await claude([hello, RUN, RUN, DONE], rewind);
    const [shown = "", again = "", ...more] = outputs.map(({ parts }) => parts.join("\n"));
    expect(more).toEqual([]);
    for (const failure of ["expected 7 to be 6", "expected 18 to be 6", "TypeError: the queue is closed"])
      expect(shown).toContain(failure);
    expect(shown).not.toContain("as before");
    expect(again).toContain("[8 failures as before, shown at an earlier run of this command: ");
  });
});

/** The ids of the model's records in the session's transcript. */
async function modelRecords(home: string): Promise<string[]> {
  const projects = join(home, ".claude", "projects");
  const file = (await readdir(projects, { recursive: true })).find((name) => name.endsWith(`${SESSION}.jsonl`)) ?? "";
  const lines = (await readFile(join(projects, file), "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line)).flatMap(({ type, uuid }) => (type === "assistant" ? [uuid] : []));
}
