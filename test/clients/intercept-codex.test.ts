// Codex' own commands under our hook, set up by `jeeves init` alone: what its model gets, in direct mode.
import { existsSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { codexCommand } from "./codex-command-line.ts";
import { checkCut, createInterceptProject, FAILURES, FOCUS, type InterceptProject } from "./intercept-project.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

// The sandbox lets commands write to the project and to /tmp.
const OUTSIDE = `/var/tmp/jeeves-outside-${process.pid}.txt`;
const OWN_CONFIG = 'model_reasoning_effort = "low" # mine\n\n[tools]\nview_image = false\n';

describe("Codex", () => {
  let project: InterceptProject;
  let seen: Conversation;
  let env: Record<string, string>;
  let config: string;

  beforeAll(async () => {
    project = await createInterceptProject();
    const codexHome = join(project.home, ".codex");
    await mkdir(codexHome);
    config = join(codexHome, "config.toml");
    await writeFile(config, OWN_CONFIG);
    env = { ...(await createClientEnv(project.home)), CODEX_HOME: codexHome, JEEVES_STATE_DIR: project.stateDir };
    project.jeeves(["init", "codex"], env);
    const script: Turn[] = [
      { call: { tool: "exec_command" }, with: { cmd: "npm test" } },
      { call: { tool: "exec_command" }, with: { cmd: "npm run lint --silent" } },
      { call: { tool: "exec_command" }, with: { cmd: "cat small.txt" } },
      { call: { tool: "exec_command" }, with: { cmd: `cat small.txt > ${OUTSIDE}` } },
      { say: "Done." },
    ];
    seen = await codexCommand({ prompt: FOCUS, script, cwd: project.root, env });
  });
  afterAll(async () => {
    await project?.remove();
    await rm(OUTSIDE, { force: true });
  });

  const text = (index: number) => seen.outputs[index]?.parts.join("\n") ?? "";

  it("lists our tools", () => {
    const tools = seen.tools.filter(({ server }) => server === "jeeves").map(({ tool }) => tool);
    expect(tools.sort()).toEqual(["grep", "read", "recover_text"]);
  });

  /** Codex' own words about a command, and what it printed. */
  function parts(index: number): { readonly head: string; readonly shown: string } {
    const [head = "", ...rest] = text(index).split("Output:\n");
    return { head, shown: rest.join("Output:\n") };
  }

  it("X-51 a failing npm test of 20,000 lines keeps every failure and its exit code, uncut by the client", () => {
    const { head, shown } = parts(0);
    expect(head).toContain("Process exited with code 1");
    for (const line of FAILURES.flat()) expect(shown.split("\n")).toContain(line);
    expect(shown).toContain("      Tests  3 failed | 20000 passed (20003)\n");
    expect(shown).not.toMatch(/truncated/);
    expect(checkCut(shown, `\n> test\n> sh run-tests.sh\n\n${project.log}`, { numbered: false }).length).toBeLessThan(
      400,
    );
  });

  it("X-51 an output of 40,000 characters is shown as lines of it, uncut by the client", () => {
    const { head, shown } = parts(1);
    expect(head).toContain("Process exited with code 0");
    expect(shown.length).toBeLessThanOrEqual(10_000);
    checkCut(shown, project.table, { numbered: false });
  });

  it("a small command's output is the bare command's", () => {
    expect(parts(2).shown).toBe("a small file\nwith two lines\n");
  });

  it("the sandbox still holds: a command of ours cannot write outside of it", () => {
    expect(parts(3).head).not.toContain("Process exited with code 0");
    expect(existsSync(OUTSIDE)).toBe(false);
  });

  it("jeeves init is idempotent, and --remove leaves the settings byte for byte as they were", async () => {
    const once = await readFile(config, "utf8");
    project.jeeves(["init", "codex"], env);
    expect(await readFile(config, "utf8")).toBe(once);
    await appendFile(config, '\n[profiles.mine]\nmodel = "x"\n');
    project.jeeves(["init", "codex", "--remove"], env);
    expect(readFileSync(config, "utf8")).toBe(`${OWN_CONFIG}\n[profiles.mine]\nmodel = "x"\n`);
  });
});
