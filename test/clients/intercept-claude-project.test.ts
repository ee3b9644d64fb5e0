// Claude Code set up for one project only: another server's results under our hook, the way back, and a server of ours
// that is not there.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClaudeCodeOutcome } from "./claude-code.ts";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FOCUS,
  type InterceptProject,
  numberedLines,
  readFirstBlock,
} from "./intercept-project.ts";
import type { Turn } from "./scripted-model.ts";

const TEXT_SERVER = fileURLToPath(new URL("text-server.mjs", import.meta.url));

describe.each(VERSIONS)("Claude Code $version in a project", (version) => {
  let project: InterceptProject;
  let env: Record<string, string>;
  let outcome: ClaudeCodeOutcome;
  // The older one lists every tool; the newer one defers them.
  const search: Turn[] =
    version.version === "2.1.325" ? [{ call: { tool: "ToolSearch" }, with: { query: "select:mcp__text__fetch" } }] : [];
  const run = (script: readonly Turn[]) =>
    runClaudeCode(version, { prompt: FOCUS, script, cwd: project.root, home: project.home, env });

  beforeAll(async () => {
    project = await createInterceptProject();
    // A repository of its own: the client asks its user to trust the repository that a directory lies in, and a sandbox
    // of another client may have left a .git above ours.
    execFileSync("git", ["init", "--quiet"], { cwd: project.root });
    env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    const text = {
      command: process.execPath,
      args: [TEXT_SERVER],
      env: { TEXT_FILE: join(project.root, "src/command.js") },
    };
    await writeFile(join(project.root, ".mcp.json"), JSON.stringify({ mcpServers: { text } }));
    await mkdir(join(project.root, ".claude"));
    const own = { permissions: { allow: ["mcp__text__fetch", "Read"] }, enabledMcpjsonServers: ["text"] };
    await writeFile(join(project.root, ".claude", "settings.local.json"), JSON.stringify(own));
    // Its user has said yes to the question whether this directory is trusted.
    const projects = { [project.root]: { hasTrustDialogAccepted: true } };
    await mkdir(join(project.home, ".claude"));
    await writeFile(join(project.home, ".claude", ".claude.json"), JSON.stringify({ projects }));
    project.jeeves(["init", "claude-code", "--project"], env);
    outcome = await run([
      ...search,
      { call: { server: "text", tool: "fetch" }, with: {} },
      { call: { tool: "Read" }, with: (seen) => readFirstBlock(seen.outputs.at(-1)?.parts.join("\n") ?? "") },
      { say: "Done." },
    ]);
  });
  afterAll(() => project?.remove());

  const shown = (tool: string) => outcome.seen.outputs.find(({ call }) => call.tool === tool)?.parts.join("\n") ?? "";

  it("jeeves init --project: the client starts our server beside the other one", () => {
    expect(outcome.servers).toContainEqual({ name: "jeeves", status: "connected" });
    expect(outcome.servers).toContainEqual({ name: "text", status: "connected" });
  });

  it("another server's text reaches the model cut, and what was left out comes back byte for byte", () => {
    expect(checkCut(shown("fetch"), project.source, { numbered: false })).toContain(`  ${ANSWER}`);
    expect(shown("Read")).toContain(numberedLines(project.source, readFirstBlock(shown("fetch"))));
  });

  it("X-51 X-58 its own Grep, where it has one, keeps what matches the prompt, within its own limit", async () => {
    // Both versions hide the tool behind their entry point: a session of an agent in another program has it.
    const search = { pattern: ".", path: "src/command.js", output_mode: "content", "-n": true };
    const { seen } = await runClaudeCode(version, {
      prompt: FOCUS,
      cwd: project.root,
      home: project.home,
      env: { ...env, CLAUDE_CODE_ENTRYPOINT: "local-agent" },
      script: [
        { call: { tool: "Grep" }, with: { ...search, head_limit: 9_000 } },
        { call: { tool: "Grep" }, with: { ...search, head_limit: 0 } },
        { call: { tool: "Grep" }, with: { pattern: "require.'node:", path: "src/command.js", output_mode: "content" } },
        { say: "Done." },
      ],
    });
    const matches = project.source
      .split("\n")
      .flatMap((line, index) => (line === "" ? [] : [`${index + 1}:${line}`]))
      .join("\n");
    const [ranked = "", all = "", short = ""] = seen.outputs.map(({ parts }) => parts.join("\n"));
    const [best, first] = [ranked, all].map((shown) => checkCut(shown.replace(LIST, ""), matches, { numbered: false }));
    expect(best?.some((line) => line.endsWith(`:  ${ANSWER}`))).toBe(true);
    expect(best?.length).toBeLessThan(500);
    // One that asks for all is not ranked.
    expect(first).toEqual(matches.split("\n").slice(0, first?.length));
    for (const shown of [ranked, all]) expect(shown).toMatch(LIST);
    expect(short).toBe(matches.split("\n").slice(0, 5).join("\n"));
  });

  it("without our server the client goes on as if we were not there", async () => {
    const file = join(project.home, ".claude", ".claude.json");
    await writeFile(file, readFileSync(file, "utf8").replace(/"[^"]*mcp-pruner[^"]*"/, '"/no/such/server.js"'));
    const { seen } = await run([
      ...search,
      { call: { tool: "Read" }, with: { file_path: join(project.root, "small.txt") } },
      { call: { server: "text", tool: "fetch" }, with: {} },
      { say: "Done." },
    ]);
    const [small = "", text = ""] = seen.outputs.slice(-2).map(({ parts }) => parts.join("\n"));
    expect(small).toMatch(/^1\ta small file\n/);
    // Too long for the client: it shows the beginning and keeps the rest in a file of its own.
    expect(text).toMatch(/^<persisted-output>/);
    expect(text).toContain("const EventEmitter = require('node:events').EventEmitter;");
    expect(text).not.toMatch(/⟦…|prn_/);
  });
});

/** What X-58 puts behind the kept matches, before the last line. */
const LIST = /^\[\d+ more matches.*\n(?:src\/command\.js.*\n)+/m;
