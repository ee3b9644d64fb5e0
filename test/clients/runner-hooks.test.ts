// `jeeves run` cuts its agent's own tools by the same hooks: what the model gets with them, and raw with --no-hooks; and
// every cut is in the run's log and in the meter.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { claudeOnPath } from "./claude-code.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { startFakeOpenAi } from "./fake-openai.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import { CLIENTS_BIN, offlineClaude, offlineCodex, PATIENT_CLAUDE } from "./offline-settings.ts";
import type { Conversation, ScriptedModel, Turn } from "./scripted-model.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const JEEVES = join(HERE, "../../packages/cli/dist/jeeves.js");
const TEXT_SERVER = join(HERE, "text-server.mjs");
const MARKER = "⟦… 35 lines 120-154⟧";

interface Logged {
  readonly event: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface Done {
  readonly code: number | null;
  readonly stderr: string;
  readonly seen: Conversation;
  readonly events: readonly Logged[];
  readonly run: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly meter: readonly Readonly<Record<string, unknown>>[];
}

interface Under {
  readonly project: InterceptProject;
  readonly model: ScriptedModel;
  readonly env: Readonly<Record<string, string>>;
}

async function jeevesRun(provider: string, under: Under, args: readonly string[] = []): Promise<Done> {
  const { project, model } = under;
  const stateDir = join(project.dir, `state${args.join("")}`);
  const words = ["run", "--provider", provider, "--cwd", project.root, "--timeout", "100", ...args, FOCUS];
  const child = spawn(process.execPath, [JEEVES, ...words], {
    cwd: HERE,
    env: { ...(await createClientEnv(project.home)), ...under.env, JEEVES_STATE_DIR: stateDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  try {
    const [code] = await once(child, "close");
    const [id = ""] = await readdir(join(stateDir, "runs"));
    const dir = join(stateDir, "runs", id);
    const [month] = await readdir(join(stateDir, "meter")).catch(() => []);
    const seen = model.conversations.at(-1);
    if (seen === undefined || model.problems.length > 0) throw new Error(`${model.problems.join("\n")}\n${stderr}`);
    return {
      code,
      stderr,
      seen,
      events: await readLines(join(dir, "events.jsonl")),
      run: JSON.parse(await readFile(join(dir, "run.json"), "utf8")),
      meter: month === undefined ? [] : await readLines(join(stateDir, "meter", month)),
    };
  } finally {
    child.kill("SIGKILL");
    await model.close();
  }
}

async function readLines<T>(file: string): Promise<T[]> {
  return (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const textOf = ({ seen }: Done, index: number) => seen.outputs[index]?.parts.join("\n") ?? "";
const dataOf = ({ events }: Done, name: string) =>
  events.flatMap(({ event, data }) => (event === name ? [data ?? {}] : []));
/** Claude Code numbers what it is given; our own numbers stand behind its. */
const unnumbered = (text: string) =>
  text
    .replace(/\n<system-reminder>[\s\S]*$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\d+\t/, ""))
    .join("\n");

describe.each(["the SDK", "its own program"])("jeeves run --provider claude by %s", (by) => {
  let project: InterceptProject;
  let on: Done;
  let off: Done;

  beforeAll(async () => {
    project = await createInterceptProject();
    const claudeDir = join(project.home, ".claude");
    await mkdir(claudeDir);
    const permissions = { allow: ["Bash(npm test)", "Bash(cat small.txt)"], deny: ["Bash(rm *)"] };
    await writeFile(join(claudeDir, "settings.json"), JSON.stringify({ permissions }));
    const at = (name: string) => join(project.root, name);
    const script: Turn[] = [
      { call: { tool: "Read" }, with: { file_path: at("src/command.js") } },
      { call: { tool: "Bash" }, with: { command: "npm test", description: "Run the tests" } },
      { call: { tool: "Bash" }, with: { command: "cat small.txt" } },
      { call: { tool: "Bash" }, with: { command: "rm small.txt" } },
      { call: { tool: "Read" }, with: { file_path: at("small.txt") } },
      {
        call: { tool: "Edit" },
        with: { file_path: at("small.txt"), old_string: "a small file", new_string: `a small file\n${MARKER}` },
      },
      { say: "Done." },
    ];
    const start = async (): Promise<Under> => {
      const model = await startFakeAnthropic(script);
      const path = by === "the SDK" ? {} : { PATH: await claudeOnPath(project.home) };
      return { project, model, env: { ...offlineClaude(claudeDir, model.origin), ...PATIENT_CLAUDE, ...path } };
    };
    on = await jeevesRun("claude", await start());
    await writeFile(join(project.root, "small.txt"), "a small file\nwith two lines\n");
    off = await jeevesRun("claude", await start(), ["--no-hooks"]);
  });
  afterAll(() => project?.remove());

  it("X-21 a native Read of 1,500 lines reaches the model pruned and numbered truly; with --no-hooks, raw", () => {
    expect(on.code).toBe(0);
    const kept = checkCut(unnumbered(textOf(on, 0)), project.source, { numbered: true });
    expect(kept).toContain(`  ${ANSWER}`);
    expect(kept.length).toBeLessThan(project.source.split("\n").length);
    expect(unnumbered(textOf(off, 0)).trimEnd()).toBe(project.source.trimEnd());
  });

  it("X-51 a failing npm test of 20,000 lines keeps every failure; with --no-hooks the client cuts the middle out", () => {
    const shown = textOf(on, 1).split("\n");
    expect(shown[0]).toBe("Exit code 1");
    for (const line of FAILURES.flat()) expect(shown).toContain(line);
    expect(shown.at(-1)).toMatch(/\[rest: recover_text prn_[a-z2-7]{12}\]$/);
    expect(textOf(off, 1)).not.toContain(FAILURES[1]?.[0]);
    expect(textOf(off, 1)).not.toContain("recover_text");
  });

  it("a small command's output is the bare command's, and the user's own rules hold", () => {
    for (const done of [on, off]) {
      expect(textOf(done, 2)).toBe("a small file\nwith two lines");
      expect(done.seen.outputs[3]?.isError).toBe(true);
      expect(textOf(done, 4)).toContain("a small file");
    }
  });

  it("an Edit that would write a marker is refused; with --no-hooks it is not looked at", () => {
    expect(on.seen.outputs[5]?.isError).toBe(true);
    expect(textOf(on, 5)).toContain("Read lines 120-154");
    expect(off.seen.outputs[5]?.isError).toBe(false);
  });

  it("X-52 every cut is in the run's log and in the meter: who, what, for what, from what to what, in which run", () => {
    const session = dataOf(on, "agent.started")[0]?.session_id;
    const cuts = dataOf(on, "meter.cut");
    expect(cuts).toMatchObject([
      { tool: "Read", what: join(project.root, "src/command.js"), focus: FOCUS },
      { tool: "Bash", what: "npm test" },
    ]);
    for (const cut of cuts) {
      expect(cut).toMatchObject({ client: "claude-code", session, project: project.root, ms: expect.any(Number) });
      expect(cut.prune_id).toMatch(/^prn_[a-z2-7]{12}$/);
      expect(Number(cut.kept_tokens)).toBeLessThan(Number(cut.raw_tokens));
    }
    const written = on.meter.filter(({ kind }) => kind === "cut");
    expect(written.map(({ prune_id }) => prune_id)).toEqual(cuts.map(({ prune_id }) => prune_id));
    for (const entry of written) expect(entry.run_id).toBe(on.run.id);
    expect(on.run).toMatchObject({ cuts: 2 });
    expect(on.stderr).toMatch(/2 cuts: \d+ of \d+ tokens kept/);
    const [read] = dataOf(on, "agent.tool_result");
    expect(read).toMatchObject({ tool: "Read", raw_bytes: Buffer.byteLength(project.source) });
    expect(Number(read?.kept_bytes)).toBeLessThan(Buffer.byteLength(project.source));
    expect(dataOf(on, "run.started")).toMatchObject([{ hooks: true }]);
    expect(dataOf(off, "run.started")).toMatchObject([{ hooks: false }]);
    expect(off.meter.filter(({ kind }) => kind === "cut")).toEqual([]);
  });
});

describe("jeeves run --provider claude, for a user who has our hooks in the settings", () => {
  let project: InterceptProject;
  let on: Done;
  let off: Done;

  beforeAll(async () => {
    project = await createInterceptProject();
    const claudeDir = join(project.home, ".claude");
    await mkdir(claudeDir);
    await writeFile(join(claudeDir, "settings.json"), '{"permissions":{"allow":["Bash(npm test)"]}}');
    const own = { ...(await createClientEnv(project.home)), CLAUDE_CONFIG_DIR: claudeDir };
    project.jeeves(["init", "claude-code"], own);
    const script: Turn[] = [
      { call: { tool: "Read" }, with: { file_path: join(project.root, "src/command.js") } },
      { call: { tool: "Bash" }, with: { command: "npm test" } },
      { say: "Done." },
    ];
    const start = async (): Promise<Under> => {
      const model = await startFakeAnthropic(script);
      return { project, model, env: { ...offlineClaude(claudeDir, model.origin), ...PATIENT_CLAUDE } };
    };
    on = await jeevesRun("claude", await start());
    off = await jeevesRun("claude", await start(), ["--no-hooks"]);
  });
  afterAll(() => project?.remove());

  it("X-52 every call is cut and counted once, beside any other hooks", () => {
    checkCut(unnumbered(textOf(on, 0)), project.source, { numbered: true });
    for (const line of FAILURES.flat()) expect(textOf(on, 1).split("\n")).toContain(line);
    const cuts = on.meter.filter(({ kind }) => kind === "cut");
    expect(cuts.map(({ tool }) => tool)).toEqual(["Read", "Bash"]);
  });

  it("--no-hooks silences those of the settings, too", () => {
    expect(unnumbered(textOf(off, 0)).trimEnd()).toBe(project.source.trimEnd());
    expect(textOf(off, 1)).not.toContain("recover_text");
    expect(off.meter.filter(({ kind }) => kind === "cut")).toEqual([]);
  });
});

describe("jeeves run --provider codex", () => {
  let project: InterceptProject;
  let on: Done;
  let off: Done;

  beforeAll(async () => {
    project = await createInterceptProject();
    const codexHome = join(project.home, ".codex");
    await mkdir(codexHome);
    const stranger = { matcher: ".*", hooks: [{ type: "command", command: `touch ${join(project.dir, "ran")}` }] };
    await writeFile(join(codexHome, "hooks.json"), JSON.stringify({ hooks: { PreToolUse: [stranger] } }));
    const script: Turn[] = [
      { call: { tool: "exec_command" }, with: { cmd: "npm test" } },
      { call: { tool: "exec_command" }, with: { cmd: "cat small.txt" } },
      { call: { server: "text", tool: "fetch" }, with: {} },
      { say: "Done." },
    ];
    const start = async (): Promise<Under> => {
      const model = await startFakeOpenAi(script);
      const tables = [
        "[mcp_servers.text]",
        `command = ${JSON.stringify(process.execPath)}`,
        `args = [${JSON.stringify(TEXT_SERVER)}]`,
        `env = { TEXT_FILE = ${JSON.stringify(join(project.root, "src/command.js"))} }`,
        "required = true",
        'default_tools_approval_mode = "approve"',
      ];
      const PATH = `${CLIENTS_BIN}:${process.env.PATH}`;
      return { project, model, env: { ...(await offlineCodex(codexHome, model.origin, { tables })), PATH } };
    };
    on = await jeevesRun("codex", await start());
    off = await jeevesRun("codex", await start(), ["--no-hooks"]);
  });
  afterAll(() => project?.remove());

  const printed = (done: Done, index: number) => textOf(done, index).split("Output:\n").slice(1).join("Output:\n");

  it("X-51 a failing npm test of 20,000 lines keeps every failure, uncut by the client; with --no-hooks it cuts", () => {
    expect(on.code).toBe(0);
    for (const line of FAILURES.flat()) expect(printed(on, 0).split("\n")).toContain(line);
    expect(printed(on, 0)).not.toMatch(/truncated/);
    checkCut(printed(on, 0), `\n> test\n> sh run-tests.sh\n\n${project.log}`, { numbered: false });
    expect(textOf(off, 0)).toMatch(/truncated/);
  });

  it("a small command's output is the bare command's", () => {
    for (const done of [on, off]) expect(printed(done, 1)).toBe("a small file\nwith two lines\n");
  });

  it("X-51 another server's text is cut to what the client shows; with --no-hooks it is the client's own cut", () => {
    const shown = on.seen.outputs[2]?.parts.at(-1) ?? "";
    expect(checkCut(shown, project.source, { numbered: false })).toContain(`  ${ANSWER}`);
    expect(shown.length).toBeLessThanOrEqual(9_000);
    expect(textOf(off, 2)).not.toContain("recover_text");
  });

  it("trusts our hooks alone: one that the user has not trusted does not run", () => {
    expect(existsSync(join(project.dir, "ran"))).toBe(false);
  });

  it("X-52 every cut is in the run's log, those of the sandbox too", () => {
    const session = dataOf(on, "agent.started")[0]?.session_id;
    expect(dataOf(on, "meter.cut")).toMatchObject([
      { tool: "Bash", client: "codex", session, what: "npm test", focus: `npm test\n${FOCUS}` },
      { tool: "mcp__text__fetch", client: "codex", session, focus: FOCUS },
    ]);
    expect(on.run).toMatchObject({ cuts: 2 });
    expect(dataOf(off, "meter.cut")).toEqual([]);
  });
});
