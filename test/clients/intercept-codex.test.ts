// Codex' own commands under our hook, set up by `jeeves init` alone: what its model gets, directly and in
// code mode.
import { existsSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { codexCommand, codexTextServer } from "./codex-command-line.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

// The sandbox lets commands write to the project and to /tmp.
const OUTSIDE = `/var/tmp/jeeves-outside-${process.pid}.txt`;
const FORBIDDEN = 'prefix_rule(pattern=["make", "secrets"], decision="forbidden")\n';
const OWN_CONFIG = 'model_reasoning_effort = "low" # mine\n\n[tools]\nview_image = false\n';

describe.each(["direct", "code"] as const)("Codex, %s mode", (mode) => {
  let project: InterceptProject;
  let seen: Conversation;
  let env: Record<string, string>;
  let config: string;
  let ownConfig: string;

  beforeAll(async () => {
    project = await createInterceptProject();
    const codexHome = join(project.home, ".codex");
    await mkdir(codexHome);
    config = join(codexHome, "config.toml");
    ownConfig = `${OWN_CONFIG}\n${codexTextServer(join(project.root, "src/command.js"))}`;
    await writeFile(config, ownConfig);
    env = { ...(await createClientEnv(project.home)), CODEX_HOME: codexHome, JEEVES_STATE_DIR: project.stateDir };
    await mkdir(join(codexHome, "rules"));
    await writeFile(join(codexHome, "rules", "default.rules"), FORBIDDEN);
    project.jeeves(["init", "codex"], env);
    const commands = [
      "npm test",
      "npm run lint --silent",
      "cat small.txt",
      `cat small.txt > ${OUTSIDE}`,
      "make secrets",
    ];
    const script: Turn[] = [...commands.map(run), fetchText(), { say: "Done." }];
    seen = await codexCommand({ prompt: FOCUS, script, cwd: project.root, env, mode });
  });
  afterAll(async () => {
    await project?.remove();
    await rm(OUTSIDE, { force: true });
  });

  const text = (index: number) => seen.outputs[index]?.parts.join("\n") ?? "";

  // In code mode the tools are named inside the description of `exec`.
  if (mode === "direct") {
    it("X-56 lists recover_text alone", () => {
      const tools = seen.tools.filter(({ server }) => server === "jeeves").map(({ tool }) => tool);
      expect(tools.sort()).toEqual(["recover_text"]);
    });
  }

  function run(command: string): Turn {
    if (mode === "direct") return { call: { tool: "exec_command" }, with: { cmd: command } };
    const code = `text(JSON.stringify(await tools.exec_command({ cmd: ${JSON.stringify(command)} })));`;
    return { call: { tool: "exec" }, with: { code } };
  }

  function fetchText(): Turn {
    if (mode === "direct") return { call: { server: "text", tool: "fetch" }, with: {} };
    const code = "const { content } = await tools.mcp__text__fetch({}); text(String(content[0].text.length));";
    return { call: { tool: "exec" }, with: { code } };
  }

  /** How a command ended, and what it printed. */
  function parts(index: number): { readonly exitCode: number; readonly shown: string } {
    if (mode === "code") {
      const { exit_code, output } = JSON.parse(seen.outputs[index]?.parts.at(-1) ?? "{}");
      return { exitCode: exit_code, shown: output };
    }
    const [head = "", ...rest] = text(index).split("Output:\n");
    return { exitCode: Number(/exited with code (\d+)/.exec(head)?.[1]), shown: rest.join("Output:\n") };
  }

  it("X-51 a failing npm test of 20,000 lines keeps every failure and its exit code, uncut by the client", () => {
    const { exitCode, shown } = parts(0);
    expect(exitCode).toBe(1);
    for (const line of FAILURES.flat()) expect(shown.split("\n")).toContain(line);
    expect(shown).toContain("      Tests  3 failed | 20000 passed (20003)\n");
    expect(shown).not.toMatch(/truncated/);
    expect(checkCut(shown, `\n> test\n> sh run-tests.sh\n\n${project.log}`, { numbered: false }).length).toBeLessThan(
      400,
    );
  });

  it("X-51 an output of 40,000 characters is shown as lines of it, uncut by the client", () => {
    const { exitCode, shown } = parts(1);
    expect(exitCode).toBe(0);
    expect(shown.length).toBeLessThanOrEqual(10_000);
    checkCut(shown, project.table, { numbered: false });
  });

  it("a small command's output is the bare command's", () => {
    expect(parts(2).shown).toBe("a small file\nwith two lines\n");
  });

  it("the sandbox still holds: a command of ours cannot write outside of it", () => {
    expect(parts(3).exitCode).not.toBe(0);
    expect(existsSync(OUTSIDE)).toBe(false);
  });

  it("the user's own rules hold: what is forbidden stays forbidden", () => {
    expect(text(4)).toMatch(/policy forbids commands starting with `make secrets`/);
  });

  // A hook's text in place of a result reaches the model, but no program of the model's: that gets the whole result.
  if (mode === "direct") {
    it("X-51 another server's text reaches the model cut, uncut by the client", () => {
      expect(checkCut(text(5), project.source, { numbered: false })).toContain(`  ${ANSWER}`);
      expect(text(5).length).toBeLessThanOrEqual(9_000);
    });
  } else {
    it("another server's text goes to the program that asked for it, as it is", () => {
      expect(seen.outputs[5]?.parts.at(-1)).toBe(String(project.source.length));
    });
  }

  it("jeeves init is idempotent, and --remove leaves the settings byte for byte as they were", async () => {
    const once = await readFile(config, "utf8");
    project.jeeves(["init", "codex"], env);
    expect(await readFile(config, "utf8")).toBe(once);
    await appendFile(config, '\n[profiles.mine]\nmodel = "x"\n');
    project.jeeves(["init", "codex", "--remove"], env);
    expect(readFileSync(config, "utf8")).toBe(`${ownConfig}\n[profiles.mine]\nmodel = "x"\n`);
  });
});
