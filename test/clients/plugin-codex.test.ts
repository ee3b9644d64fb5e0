// Codex with the plugin of `npm run package`, installed by its own commands from the folder: what its model gets, and what
// is left after it was taken out.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placesIn, placesOf } from "../../packages/cut/test/search/match-places.ts";
import { ensurePackaged } from "../../scripts/package/ensure-packaged.mjs";
import { createClientEnv } from "./agent.ts";
import { writeCallSites } from "./call-sites.ts";
import { codexCommand } from "./codex-command-line.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import { ROOT, readmeCommands } from "./readme-commands.ts";
import type { Conversation } from "./scripted-model.ts";

const BIN = createRequire(import.meta.url).resolve("@openai/codex/bin/codex.js");
const OWN_CONFIG = 'model_reasoning_effort = "low" # mine\n';
const FORBIDDEN = 'prefix_rule(pattern=["make", "secrets"], decision="forbidden")\n';

let project: InterceptProject;
let env: Record<string, string>;
let seen: Conversation;
let found: string[];
const at = (...parts: readonly string[]) => join(project.home, ".codex", ...parts);
const codex = (...args: readonly string[]) =>
  execFileSync(process.execPath, [BIN, ...args], { cwd: ROOT, env, encoding: "utf8" });
const shown = (index: number) =>
  (seen.outputs[index]?.parts.join("\n") ?? "").split("Output:\n").slice(1).join("Output:\n");

beforeAll(async () => {
  await ensurePackaged();
  project = await createInterceptProject();
  found = await writeCallSites(project);
  await mkdir(at("rules"), { recursive: true });
  await writeFile(at("config.toml"), OWN_CONFIG);
  await writeFile(at("rules/default.rules"), FORBIDDEN);
  env = { ...(await createClientEnv(project.home)), CODEX_HOME: at(), JEEVES_STATE_DIR: project.stateDir };
  for (const args of readmeCommands("codex")) codex(...args);
  const commands = ["npm test", "cat src/command.js", "grep -rn normalizePath lib", "make secrets"];
  const script = [
    ...commands.map((cmd) => ({ call: { tool: "exec_command" }, with: { cmd } })),
    {
      call: { server: "jeeves", tool: "recover_text" },
      with: (so: Conversation) => {
        const text = so.outputs[0]?.parts.join("\n") ?? "";
        const [, id = ""] = /recover_text (prn_[a-z2-7]{12})/.exec(text) ?? [];
        const [, from, to] = /⟦… ×?\d+ lines (\d+)-(\d+)/.exec(text) ?? [];
        return {
          prune_id: id,
          ranges: [{ start_line: Number(from), end_line: Math.min(Number(from) + 9, Number(to)) }],
        };
      },
    },
    { say: "Done." },
  ];
  seen = await codexCommand({
    prompt: `${FOCUS} Then list every call site of normalizePath.`,
    script,
    cwd: project.root,
    env,
    mode: "direct",
    hasServer: false,
  });
});
afterAll(() => project?.remove());

it("the client lists recover_text alone", () => {
  const ours = seen.tools.filter(({ server }) => server === "jeeves").map(({ tool }) => tool);
  expect(ours).toEqual(["recover_text"]);
});

it("a failing npm test of 20,000 lines keeps every failure", () => {
  for (const line of FAILURES.flat()) expect(shown(0).split("\n")).toContain(line);
  const whole = `\n> test\n> sh run-tests.sh\n\n${project.log}`;
  expect(checkCut(shown(0), whole, { numbered: false }).length).toBeLessThan(400);
});

it("a file of 1,500 lines, as Codex reads one, is cut to what answers", () => {
  const kept = checkCut(shown(1), project.source, { numbered: false });
  expect(kept).toContain(`  ${ANSWER}`);
  expect(kept.length).toBeLessThan(700);
});

it("X-58 a search names every match, in full or by its line", () => {
  expect(placesIn(shown(2))).toEqual(placesOf(found));
  expect(shown(2).length).toBeLessThan(found.join("\n").length * 0.75);
});

it("X-61 the user's own rules hold: what is forbidden stays forbidden", () => {
  expect(seen.outputs[3]?.parts.join("\n")).toMatch(/policy forbids commands starting with `make secrets`/);
});

it("recover_text brings back lines that were left out, of this project", () => {
  expect(seen.outputs[4]?.parts.join("\n")).toMatch(/✓ test\/area-\d+\.test\.ts > case \d+ of the quick kind/);
});

it("after it was taken out, the client's settings are as before", () => {
  codex("plugin", "remove", "jeeves@jeeves");
  codex("plugin", "marketplace", "remove", "jeeves");
  expect(readFileSync(at("config.toml"), "utf8").trim()).toBe(OWN_CONFIG.trim());
  expect(existsSync(at("plugins/cache/jeeves/jeeves/0.2.0"))).toBe(false);
  expect(codex("mcp", "list")).not.toContain("jeeves");
});
