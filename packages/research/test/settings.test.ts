// Settings: defaults, overrides, and what is refused.
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSettings } from "../src/load-settings.ts";
import { ResearchError } from "../src/research-error.ts";
import { chooseRoots, isSystemPath, labelRoots } from "../src/roots.ts";
import { constraintsSchema, effective } from "../src/settings.ts";
import { type MadeDir, makeProject, makeTempDir } from "./made-project.ts";
import { BIN, serverEnv, startServer, type Wire } from "./server-under-test.ts";

let project: MadeDir;
let dir: MadeDir;
beforeAll(async () => {
  [project, dir] = await Promise.all([makeProject(), makeTempDir()]);
});
afterAll(() => Promise.all([project.remove(), dir.remove()]));

const load = (env: NodeJS.ProcessEnv = {}, more: { roots?: string[]; file?: string } = {}) =>
  loadSettings({ env, cwd: dir.path, roots: more.roots ?? [project.path], file: more.file });

async function config(value: unknown): Promise<string> {
  const file = join(dir.path, "config.json");
  await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}

describe("settings", () => {
  it("C-17 the defaults", () => {
    const { limits, runtime, index } = load();
    expect(limits).toMatchObject({ maxFilesRead: 50, maxBytesRead: 1_048_576 });
    expect(runtime).toMatchObject({ defaultDeadlineMs: 30_000, maxConcurrentTasks: 4 });
    expect(index.enabled).toBe(true);
  });

  it("C-43 a file overrides the defaults, the environment the file, a flag the environment", async () => {
    const file = await config({ roots: ["from-file"], limits: { maxFilesRead: 7, maxBytesRead: 9 } });
    const env = { MCP_RESEARCH_MAX_FILES_READ: "8", MCP_RESEARCH_ROOTS: "/from-env" };
    expect(load({}, { roots: [], file }).roots).toEqual([join(dir.path, "from-file")]);
    expect(load(env, { roots: [], file })).toMatchObject({
      roots: ["/from-env"],
      limits: { maxFilesRead: 8, maxBytesRead: 9 },
    });
    expect(load(env, { file }).roots).toEqual([project.path]);
  });

  it("C-43 LM_STUDIO_MODEL counts where a server is set, by the file or by the environment", async () => {
    const url = "http://127.0.0.1:1234/v1";
    const file = await config({ provider: { url, model: "from-file" } });
    expect(load({ LM_STUDIO_MODEL: "m" }, { file }).provider).toMatchObject({ url, model: "m" });
    expect(load({ LM_STUDIO_MODEL: "m", LM_STUDIO_URL: url }).provider).toMatchObject({ url, model: "m" });
    expect(load({ LM_STUDIO_MODEL: "m" }).provider).toBeUndefined();
    expect(load({ LM_STUDIO_MODEL: "m", LM_STUDIO_URL: " " }).provider).toBeUndefined();
  });

  it.each([
    [{ limits: { maxFilesRead: 0 } }, "limits.maxFilesRead=0"],
    [{ limits: { maxFiles: "many" } }, 'limits.maxFiles="many"'],
    [{ logging: { level: "loud" } }, 'logging.level="loud"'],
    [{ nonsense: 1 }, "nonsense"],
    [{ provider: { url: "ftp://x" } }, "provider.url"],
    ["{", "not JSON"],
    [[], "expected an object"],
  ])("C-43 %j is refused and names %s", async (value, words) => {
    const file = await config(value);
    expect(() => load({}, { file })).toThrow(ResearchError);
    expect(() => load({}, { file })).toThrow(words);
  });

  it.each([
    [["--root", "/etc"], "system directory"],
    [["--root", "missing"], "no such directory"],
    [["--root", "x".repeat(300)], "cannot be looked at (ENAMETOOLONG)"],
    [["--config", "missing.json"], 'missing.json": no such file'],
    [["--config", "."], '": is a directory'],
    [["--config", "x".repeat(300)], '": cannot be read (ENAMETOOLONG)'],
    [["--colour", "red"], "usage: mcp-research"],
  ])("C-43 C-39 mcp-research %j exits 2", (args, words) => {
    const run = spawnSync(process.execPath, [BIN, ...args], {
      cwd: dir.path,
      env: serverEnv(dir.path),
      encoding: "utf8",
      input: "",
    });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain(words);
    expect(run.stdout).toBe("");
  });

  it.each([
    [{ MCP_RESEARCH_MAX_TOKENS: "-1" }, "MCP_RESEARCH_MAX_TOKENS=-1: Too small"],
    [{ MCP_RESEARCH_DEADLINE_MS: "soon" }, 'MCP_RESEARCH_DEADLINE_MS="soon"'],
    [{ MCP_RESEARCH_INDEX: "perhaps" }, 'MCP_RESEARCH_INDEX="perhaps"'],
    [{ LM_STUDIO_URL: "nonsense" }, 'LM_STUDIO_URL="nonsense/v1"'],
  ])("C-43 %j is called by the name it was given", (env, words) => {
    expect(() => load(env)).toThrow(words);
  });

  it.each([
    ["on", true],
    [" TRUE ", true],
    ["1", true],
    ["Off", false],
    ["no", false],
  ])("X-13 MCP_RESEARCH_INDEX=%j is %s", (value, enabled) => {
    expect(load({ MCP_RESEARCH_INDEX: value }).index.enabled).toBe(enabled);
  });

  it("C-43 every directory in a file is relative to that file", async () => {
    const file = await config({ thoughts: "t", artifacts: { dir: "a" }, index: { dir: "i", enabled: false } });
    expect(loadSettings({ env: {}, cwd: project.path, roots: [], file })).toMatchObject({
      thoughts: join(dir.path, "t"),
      artifacts: { dir: join(dir.path, "a") },
      index: { dir: join(dir.path, "i"), enabled: false },
    });
  });

  it("--help says how it is started, and exits 0", () => {
    const run = spawnSync(process.execPath, [BIN, "--help"], { env: serverEnv(dir.path), encoding: "utf8", input: "" });
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).toContain("--root DIR");
  });

  it("C-44 the log level changes the log and never the answer", async () => {
    const ask = async (level: string): Promise<{ readonly answer: Wire; readonly events: number }> => {
      const server = await startServer({
        args: ["--root", project.path],
        stateDir: dir.path,
        env: { MCP_RESEARCH_LOG_LEVEL: level },
      });
      try {
        const { locator, synthesis } = await server.ask("research_codebase", { question: "How is an invoice sent?" });
        return { answer: { references: locator.value.references, synthesis }, events: server.events.length };
      } finally {
        await server.stop();
      }
    };
    const [loud, quiet] = [await ask("debug"), await ask("error")];
    expect(quiet.answer).toEqual(loud.answer);
    expect(loud.events).toBeGreaterThan(0);
    expect(quiet.events).toBe(0);
  });

  it("X-32 constraints are taken in both spellings", () => {
    expect(constraintsSchema.parse({ max_files_read: 3, deadlineMs: 5 })).toEqual({ maxFilesRead: 3, deadlineMs: 5 });
    expect(constraintsSchema.safeParse({ max_files: 3 }).success).toBe(false);
  });

  it("C-21 a question may ask for less reading than the settings allow, not for more", () => {
    const settings = load();
    expect(effective(settings, { maxFilesRead: 2, maxTokens: 200 })).toMatchObject({ maxFilesRead: 2, maxTokens: 200 });
    expect(effective(settings, { maxFilesRead: 500, maxBytesRead: 1e9 })).toMatchObject({
      maxFilesRead: 50,
      maxBytesRead: 1_048_576,
    });
  });
});

describe("roots", () => {
  it("X-32 a label is the last segment, with ~2 on a clash", () => {
    expect(labelRoots(["/a/x", "/b/x", "/c/y"]).map(({ label }) => label)).toEqual(["x", "x~2", "y"]);
  });

  it("C-34 a root inside another is searched with it, and one outside is refused", () => {
    const inner = join(project.path, "src");
    expect(chooseRoots([project.path, inner], undefined).roots.map(({ path }) => path)).toEqual([project.path]);
    expect(chooseRoots([inner], [project.path])).toEqual({ roots: [], refused: [project.path] });
    expect(chooseRoots([project.path], [join(project.path, "missing")]).refused).toHaveLength(1);
  });

  it.each([
    ["/", true],
    ["/etc/ssl", true],
    ["/proc", true],
    ["/home/me/project", false],
  ])("C-39 %s is a system path: %s", (path, is) => {
    expect(isSystemPath(path)).toBe(is);
  });
});
