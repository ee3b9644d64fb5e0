// What our set-ups add to a request that the real clients send, in bytes and tokens: the tools, deferred or not, and all
// words about them.
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { estimateTokens } from "@jeeves/cut";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { codexCommand, codexTextServer } from "./codex-command-line.ts";
import { createInterceptProject, type InterceptProject } from "./intercept-project.ts";

const SET_UPS = ["--hooks", "--both"] as const;
const GIVEN = { prompt: "Say hello.", script: [{ say: "Hello." }] };

let project: InterceptProject;
beforeAll(async () => {
  project = await createInterceptProject();
});
afterAll(() => project?.remove());

/** Ids of a session are of one length, but not of one number of tokens. */
const tokensOf = (request: string) => estimateTokens(request.replace(/[0-9a-f]{4,}(?:-[0-9a-f]{4,})*|\d{2,}/g, "id"));

/** What a request has more than the bare client's, per set-up. */
async function added(send: (flag: (typeof SET_UPS)[number] | undefined) => Promise<string>) {
  const bare = await send(undefined);
  const more: Record<string, { bytes: number; tokens: number }> = {};
  for (const flag of SET_UPS) {
    const request = await send(flag);
    const bytes = Buffer.byteLength(request) - Buffer.byteLength(bare);
    more[flag] = { bytes, tokens: tokensOf(request) - tokensOf(bare) };
  }
  return more;
}

const report = (name: string, more: object) => console.log(`our surface in ${name}: ${JSON.stringify(more)}`);

describe.each(VERSIONS)("Claude Code $version", (version) => {
  it("X-56 hooks add nothing to its request; with our tools it is larger", async () => {
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    const more = await added(async (flag) => {
      if (flag !== undefined) project.jeeves(["init", "claude-code", flag], env);
      const run = { ...GIVEN, cwd: project.root, home: project.home, env: { JEEVES_STATE_DIR: project.stateDir } };
      const { requests, servers } = await runClaudeCode(version, run);
      expect(servers).toEqual(flag === undefined ? [] : [{ name: "jeeves", status: "connected" }]);
      return requests.at(-1) ?? "";
    });
    project.jeeves(["init", "claude-code", "--remove"], env);
    report(`Claude Code ${version.version}`, more);
    expect(more["--hooks"]?.bytes).toBe(0);
    expect(more["--both"]?.bytes).toBeGreaterThan(300);
  });
});

describe.each(["direct", "code"] as const)("Codex, %s mode", (mode) => {
  async function addedTo(config: string) {
    const codexHome = await mkdtemp(join(project.home, ".codex-"));
    await writeFile(join(codexHome, "config.toml"), config);
    const env = { ...(await createClientEnv(project.home)), CODEX_HOME: codexHome, JEEVES_STATE_DIR: project.stateDir };
    return added(async (flag) => {
      if (flag !== undefined) project.jeeves(["init", "codex", flag], env);
      const given = { ...GIVEN, cwd: project.root, env, mode, hasServer: flag !== undefined };
      return (await codexCommand(given)).requests.at(-1) ?? "";
    });
  }

  it("X-56 recover_text adds little to its request, and nothing where it defers tools", async () => {
    const more = await addedTo(codexTextServer(join(project.root, "small.txt")));
    report(`Codex, ${mode} mode, beside another server`, more);
    expect(more["--hooks"]?.bytes).toBeLessThan(mode === "code" ? 1 : 700);
    expect(more["--both"]?.bytes).toBeGreaterThanOrEqual(more["--hooks"]?.bytes ?? 0);
  });

  it("X-56 beside the first server Codex lists tools of its own, for resources, where it defers none", async () => {
    const more = await addedTo("");
    report(`Codex, ${mode} mode, as the only server`, more);
    expect(more["--hooks"]?.bytes).toBeLessThan(mode === "code" ? 1 : 2_600);
  });
});
