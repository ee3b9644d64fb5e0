// Copilot CLI, which has no hooks that replace a result: with our tools, added and taken out by its own command (the line
// of the README), or by the snippet of docs/clients.md.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesIn } from "../../packages/cut/test/search/match-places.ts";
import { withPaths } from "../../packages/intercept/test/with-paths.ts";
import { ensurePackaged } from "../../scripts/package/ensure-packaged.mjs";
import { createClientEnv } from "./agent.ts";
import { writeLongCallSites } from "./call-sites.ts";
import { runCopilot } from "./copilot.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import { CLIENTS_BIN } from "./offline-settings.ts";
import { ROOT, readmeCommands } from "./readme-commands.ts";
import type { Conversation } from "./scripted-model.ts";

const SETTINGS = ".copilot/mcp-config.json";
/** A server of the user's own. */
const OWN = { mcpServers: { other: { type: "local", command: "true", args: [], tools: ["*"] } } };

const [words = []] = readmeCommands("copilot");
const copilot = (args: readonly string[], env: Record<string, string>) =>
  execFileSync(join(CLIENTS_BIN, "copilot"), args, { env, encoding: "utf8" });

/** As docs/clients.md has it. */
function snippet(): typeof OWN {
  const docs = readFileSync(join(ROOT, "docs/clients.md"), "utf8");
  const [, text = ""] = /^## Copilot CLI\n.*?^```json\n(.*?)^```/ms.exec(docs) ?? [];
  return JSON.parse(text);
}

/** Our program on PATH, as the package gives it, a home with settings of the user's own. */
async function start() {
  const project = await createInterceptProject();
  const bin = join(project.dir, "bin");
  mkdirSync(bin);
  const server = join(await ensurePackaged(), "jeeves/packages/mcp-pruner/dist/index.js");
  chmodSync(server, 0o755);
  symlinkSync(server, join(bin, "mcp-pruner"));
  const own = await createClientEnv(project.home);
  // It unpacks 235 MB there before its first answer.
  const shared = { XDG_CACHE_HOME: fileURLToPath(new URL("node_modules/.cache", import.meta.url)) };
  const env = { ...own, ...shared, PATH: `${bin}${delimiter}${own.PATH}`, JEEVES_STATE_DIR: project.stateDir };
  mkdirSync(join(project.home, ".copilot"));
  const settings = join(project.home, SETTINGS);
  writeFileSync(settings, JSON.stringify(OWN));
  return { project, env, settings };
}

it("the line of the README writes what docs/clients.md shows, and the client's own command takes it out again", async () => {
  const { project, env, settings } = await start();
  try {
    copilot(words, env);
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({
      mcpServers: { ...OWN.mcpServers, ...snippet().mcpServers },
    });
    expect(copilot(["mcp", "list"], env)).toContain("jeeves (local)");
    copilot(["mcp", "remove", "jeeves"], env);
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual(OWN);
    expect(existsSync(join(project.home, ".local/share/jeeves"))).toBe(false);
  } finally {
    await project.remove();
  }
});

describe("its model", () => {
  let project: InterceptProject;
  let places: Set<string>;
  let seen: Conversation;

  beforeAll(async () => {
    const started = await start();
    project = started.project;
    places = await writeLongCallSites(project);
    // With bash, too, which the README leaves out: the client has rules of its own for commands.
    copilot(
      words.map((word) => word.replace("=read,grep", "=read,bash,grep")),
      started.env,
    );
    const question = { context_focus_question: FOCUS };
    seen = await runCopilot({
      prompt: FOCUS,
      cwd: project.root,
      env: started.env,
      args: ["--allow-tool=jeeves"],
      script: [
        { call: { tool: "jeeves-read" }, with: { file_path: "src/command.js", ...question } },
        {
          call: { tool: "jeeves-bash" },
          with: { command: "npm test", context_focus_question: "Why do the tests fail?" },
        },
        { call: { tool: "jeeves-grep" }, with: { pattern: "normalizePath", path: "lib", ...question } },
        {
          call: { tool: "jeeves-recover_text" },
          with: ({ outputs }) => ({
            prune_id: /prn_[a-z2-7]{12}/.exec(outputs[0]?.parts.join("\n") ?? "")?.[0] ?? "",
            ranges: [{ start_line: 3, end_line: 9 }],
          }),
        },
        // 40,000 characters, of which the client itself would show 500.
        { call: { tool: "jeeves-read" }, with: { file_path: "table.txt", ...question } },
        { say: "Done." },
      ],
    });
  });
  afterAll(() => project?.remove());

  const shown = (index: number) => seen.outputs[index]?.parts.join("\n") ?? "";

  it("C-01 is listed the tools that the settings name", () => {
    const ours = seen.tools.map(({ tool }) => tool).filter((tool) => tool.startsWith("jeeves-"));
    expect(ours.sort()).toEqual(["jeeves-bash", "jeeves-grep", "jeeves-read", "jeeves-recover_text"]);
    expect(seen.outputs.map(({ isError }) => isError)).toEqual(seen.outputs.map(() => false));
  });

  it("gets a read of 1,500 lines cut, with the answer in it", () => {
    const kept = checkCut(shown(0), project.source, { numbered: false });
    expect(kept).toContain(`  ${ANSWER}`);
    expect(kept.length).toBeLessThan(700);
  });

  it("gets every failure of a test run of 20,000 lines", () => {
    const lines = shown(1).split("\n");
    for (const line of FAILURES.flat()) expect(lines).toContain(line);
    expect(shown(1).length).toBeLessThan(12_000);
  });

  it("X-58 gets every match of a search, in full or by its line", () => {
    const named = placesIn(withPaths(shown(2)));
    expect(new Set(named)).toEqual(places);
  });

  it("X-18 X-51 gets each answer once, and no more than the client shows", () => {
    expect(project.table.length).toBeGreaterThan(36_000);
    for (const index of seen.outputs.keys()) {
      expect(shown(index)).not.toMatch(/"pruning":|Output too large/);
      expect(shown(index).length).toBeLessThanOrEqual(20_000);
    }
    checkCut(shown(4), project.table, { numbered: false });
  });

  it("X-21 gets back what was left out, byte for byte", () => {
    expect(shown(3)).toContain(project.source.split("\n").slice(2, 9).join("\n"));
  });
});
