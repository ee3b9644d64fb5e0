// `jeeves run`, the built bin as a real child: its words, its exit codes, and that Ctrl-C leaves nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));

interface Place {
  readonly dir: string;
  readonly env: Record<string, string>;
}

async function makePlace(steps: readonly object[] = [{ say: "Done." }]): Promise<Place> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "jeeves-run-")));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, "project"));
  const lines = Array.from(
    { length: 500 },
    (_, index) => `export const value${index} = compute(${index}, "name ${index}");`,
  );
  await writeFile(join(dir, "project", "long.ts"), `${lines.join("\n")}\n`);
  await writeFile(join(dir, "script.json"), JSON.stringify({ steps }));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    JEEVES_STATE_DIR: join(dir, "state"),
    JEEVES_SCRIPT: join(dir, "script.json"),
    PRUNER_ENGINE: "embedded",
  };
  return { dir, env };
}

function start({ dir, env }: Place, args: readonly string[], more: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [JEEVES, "run", ...args], {
    cwd: join(dir, "project"),
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function finish(child: ChildProcess) {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

async function recordsOf({ dir }: Place): Promise<{ event: string; data: Record<string, unknown> }[]> {
  const runs = join(dir, "state", "runs");
  const [id = ""] = await readdir(runs);
  const text = await readFile(join(runs, id, "events.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The dead who wait for init to collect them still have a number. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

const scripted = ["--provider", "scripted"];
const ask = {
  call: { server: "pruner", tool: "read" },
  with: { file_path: "long.ts", context_focus_question: "what is value77?" },
};

describe("jeeves run", () => {
  it("J-92 shows calls with what was kept and dropped on stderr, and only the last words on stdout", async () => {
    const place = await makePlace([ask, { say: "It is \u001b[31mcomputed\u0007." }]);
    const { code, stdout, stderr } = await finish(start(place, [...scripted, "what is value77?"]));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It is \u001b[31mcomputed\u0007.\n" });
    expect(stderr).toContain("mcp:pruner/read");
    expect(stderr).toMatch(/[\d.]+ k?B kept of [\d.]+ kB, [\d.]+ kB dropped/);
    expect(stderr).toContain("completed");
    expect(stderr).toContain(join(place.dir, "state", "runs"));
    // What an agent says is data: nothing of it speaks to the terminal.
    for (const control of ["\u001b", "\u0007"]) expect(stderr).not.toContain(control);
  });

  it("J-83 sets the pruner on where nothing is said, and says so", async () => {
    const place = await makePlace();
    const { stderr } = await finish(start(place, [...scripted, "task"]));
    expect(stderr).toContain("JEEVES_PRUNER_ENABLED is unset");
    expect((await recordsOf(place)).map(({ event }) => event)).toContain("mcp_pruner.ready");
  });

  it.each([
    ["an explicit falsy value", [], { JEEVES_PRUNER_ENABLED: "0" }],
    ["an empty value", [], { JEEVES_PRUNER_ENABLED: "" }],
    ["--no-pruner", ["--no-pruner"], { JEEVES_PRUNER_ENABLED: "1" }],
  ])("J-83 %s wins", async (_what, args, env) => {
    const place = await makePlace();
    const { code, stderr } = await finish(start(place, [...scripted, ...args, "task"], env));
    expect(code).toBe(0);
    expect(stderr).not.toContain("is unset");
    const disabled = (await recordsOf(place)).find(({ event }) => event === "mcp_pruner.disabled");
    expect(disabled?.data).toMatchObject({ reason: "config_disabled" });
  });

  it("J-84 an invalid address is said, and the run goes on without MCP", async () => {
    const place = await makePlace();
    const { code, stderr } = await finish(start(place, [...scripted, "task"], { JEEVES_PRUNER_URL: "nonsense" }));
    expect(code).toBe(0);
    expect(stderr).toContain("JEEVES_PRUNER_URL=nonsense: expected an absolute http: or https: URL");
  });

  it("J-92 its help documents the exit codes", async () => {
    const { code, stdout } = await finish(start(await makePlace(), ["--help"]));
    expect(code).toBe(0);
    for (const exit of [0, 1, 2, 124, 127, 130]) expect(stdout).toMatch(new RegExp(`^ {2}${exit}\\s`, "m"));
  });
});

describe("jeeves run on a bad day", () => {
  it("J-92 a disk that fills in the middle costs events, not the run, and the loss is said", async () => {
    const steps = Array.from({ length: 40 }, (_, index) => ({ say: `${index} ${"words ".repeat(100)}` }));
    const place = await makePlace([...steps, { say: "Done." }]);
    // No file may grow beyond 8 blocks: what a full disk looks like to a program.
    const args = [
      "-c",
      'ulimit -f 8 && exec "$@"',
      "sh",
      process.execPath,
      JEEVES,
      "run",
      ...scripted,
      "--no-pruner",
      "task",
    ];
    const child = spawn("sh", args, {
      cwd: join(place.dir, "project"),
      env: place.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { code, stdout, stderr } = await finish(child);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
    expect(stderr).toMatch(/\d+ events could not be written to the log/);
    const runs = join(place.dir, "state", "runs");
    const run = JSON.parse(await readFile(join(runs, (await readdir(runs))[0] ?? "", "run.json"), "utf8"));
    expect(run).toMatchObject({ status: "completed", events_lost: expect.any(Number) });
    expect(run.events_lost).toBeGreaterThan(10);
  });

  it("J-92 a closed stderr is no reason to stop", async () => {
    const steps = Array.from({ length: 20 }, (_, index) => ({ say: `${index}` }));
    const place = await makePlace([...steps, { run: ["true"] }, { say: "Done." }]);
    const child = start(place, [...scripted, "--no-pruner", "task"]);
    child.stderr?.destroy();
    const { code, stdout } = await finish(child);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
  });
});

describe("the exit code of jeeves run", () => {
  it.each([
    ["an unknown provider", ["--provider", "gemini", "task"], /claude, codex, scripted/],
    ["no provider", ["task"], /--provider/],
    [
      "a directory that is not there",
      [...scripted, "--cwd", "nowhere", "task"],
      /^jeeves: \/.*\/nowhere does not exist\n/m,
    ],
    ["an empty task", [...scripted, " "], /must not be empty/],
    ["no number of turns", [...scripted, "--max-turns", "0", "task"], /whole number/],
    ["no number of seconds", [...scripted, "--timeout", "soon", "task"], /Seconds/],
  ])("J-92 is 2 for %s, and says what would be right", async (_what, args, words) => {
    const { code, stderr } = await finish(start(await makePlace(), args));
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });

  it("J-92 is 2 for a script that cannot be used", async () => {
    const place = await makePlace([{ sing: "la" }]);
    const { code, stderr } = await finish(start(place, [...scripted, "task"]));
    expect(code).toBe(2);
    expect(stderr).toContain("script.json cannot be used");
  });

  it("J-92 is 1 where the agent failed, with its reason", async () => {
    const place = await makePlace([{ fail: "the model said no" }]);
    const { code, stderr } = await finish(start(place, [...scripted, "task"]));
    expect(code).toBe(1);
    expect(stderr).toContain("the model said no");
  });

  it("J-92 is 1 where the agent failed and stdout is closed", async () => {
    const place = await makePlace([{ say: "I tried." }, { fail: "the model said no" }]);
    const child = start(place, [...scripted, "--no-pruner", "task"]);
    child.stdout?.destroy();
    expect(await finish(child)).toMatchObject({ code: 1, stderr: expect.stringContaining("the model said no") });
  });

  it("J-92 is 1 where it came to --max-turns", async () => {
    const place = await makePlace([{ run: ["true"] }, { run: ["true"] }, { say: "Done." }]);
    const { code, stderr } = await finish(start(place, [...scripted, "--max-turns", "1", "task"]));
    expect(code).toBe(1);
    expect(stderr).toContain("max turns");
  });

  it("J-92 is 124 where --timeout was over", async () => {
    const place = await makePlace([{ hold: true }]);
    const { code, stderr } = await finish(start(place, [...scripted, "--timeout", "0.3", "task"]));
    expect(code).toBe(124);
    expect(stderr).toContain("timed out");
  });

  it("J-92 is 127 where the agent is missing, with the line that installs it", async () => {
    const place = await makePlace();
    for (const [provider, line] of [
      ["codex", "npm install --global @openai/codex"],
      ["claude", "npm install --global @anthropic-ai/claude-code"],
    ] as const) {
      const { code, stderr } = await finish(start(place, ["--provider", provider, "task"], { PATH: place.dir }));
      expect(code).toBe(127);
      expect(stderr).toContain(line);
    }
  });
});

describe("the agent that jeeves run starts", () => {
  /** A program named codex that leaves a note of its start and answers like Codex. */
  async function placeCodex(dir: string, note: string): Promise<void> {
    const says = [
      { type: "thread.started", thread_id: "thread-1" },
      { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "Done." } },
      { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
    ];
    const script = [
      "#!/bin/sh",
      `: > '${note}'`,
      "while read -r _; do :; done",
      ...says.map((event) => `printf '%s\\n' '${JSON.stringify(event)}'`),
    ];
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "codex"), `${script.join("\n")}\n`, { mode: 0o755 });
  }

  it("J-92 is never the project's own bin/codex, which a relative entry of PATH would name", async () => {
    const place = await makePlace();
    const [theirs, installed] = [join(place.dir, "theirs-ran"), join(place.dir, "installed-ran")];
    await placeCodex(join(place.dir, "project", "bin"), theirs);
    const args = ["--provider", "codex", "--no-pruner", "task"];

    const alone = await finish(start(place, args, { PATH: `bin:.:${place.dir}` }));
    expect({ code: alone.code, isTheirs: existsSync(theirs) }).toEqual({ code: 127, isTheirs: false });

    await placeCodex(join(place.dir, "programs"), installed);
    const beside = await finish(start(place, args, { PATH: `bin:${join(place.dir, "programs")}` }));
    expect(beside).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect([existsSync(theirs), existsSync(installed)]).toEqual([false, true]);
  });
});

describe("a signal to jeeves run", () => {
  const HOLD =
    "process.on('SIGTERM',()=>{});require('fs').writeFileSync(process.env.HOME+'/pid',String(process.pid));setInterval(()=>{},60000)";

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("J-81 %s stops the agent and its whole tree, and the code is %i", async (signal, expected) => {
    const place = await makePlace([{ run: ["setsid", "-w", process.execPath, "-e", HOLD] }, { say: "Never." }]);
    const child = start(place, [...scripted, "task"]);
    const finished = finish(child);
    const file = join(place.dir, "pid");
    await waitUntil("the agent's child", () => existsSync(file) && statSync(file).size > 0);
    const pid = Number(await readFile(file, "utf8"));
    child.kill(signal);
    const { code, stdout } = await finished;
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(isRunning(pid)).toBe(false);
    const records = await recordsOf(place);
    expect(records.at(-1)).toMatchObject({ event: "run.ended", data: { status: "cancelled" } });
  });

  it("J-81 a second one does not wait", async () => {
    const place = await makePlace([{ run: [process.execPath, "-e", HOLD] }]);
    const child = start(place, [...scripted, "--no-pruner", "task"]);
    const finished = finish(child);
    const file = join(place.dir, "pid");
    await waitUntil("the agent's child", () => existsSync(file) && statSync(file).size > 0);
    const pid = Number(await readFile(file, "utf8"));
    child.kill("SIGINT");
    await once(child.stderr ?? child, "data");
    child.kill("SIGINT");
    expect((await finished).code).toBe(130);
    await waitUntil("its end", () => !isRunning(pid));
  });
});
