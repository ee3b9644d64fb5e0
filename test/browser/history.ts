// A past to look at: two weeks of cuts in the meter, a log of any length, a haven at work. The same every time.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runRudder } from "@jeeves/rudder";
import { claudeTranscript, codexTranscript, type Step } from "../transcript-writer.mjs";
import type { World } from "./world.ts";

const DAY_MS = 86_400_000;

export const READ_FOCUS = "how are requests in flight bounded when the server stops?";
export const READ_STEP = {
  call: { server: "pruner", tool: "read" },
  with: { file_path: "http/serve-http.ts", context_focus_question: READ_FOCUS },
};
export const RUN_STEPS: readonly object[] = [
  { say: "I will look at how the server stops before I change it." },
  READ_STEP,
  { event: { kind: "reasoning", text: "The drain time is a limit of its own; who waits for it?" } },
  {
    call: { server: "pruner", tool: "read" },
    with: { file_path: "haven/file-store.ts", context_focus_question: "who takes the lock, and for how long?" },
  },
  {
    call: { server: "pruner", tool: "grep" },
    with: { pattern: "signal|abort", context_lines: 3, context_focus_question: "where is an abort passed on?" },
  },
  {
    call: { server: "pruner", tool: "bash" },
    with: { command: "cat http/*.ts", context_focus_question: "which limits does the server have by default?" },
  },
  { call: { server: "pruner", tool: "read" }, with: { file_path: "http/listen.ts" } },
  {
    event: { kind: "usage", usage: { inputTokens: 48_210, cachedInputTokens: 39_900, outputTokens: 1_702 } },
  },
  { say: "Requests in flight are given drainMs; after that their signals abort. The change belongs into stop()." },
];

/** Small, quick and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const CLIENTS = ["claude-code", "codex", "mcp-pruner"] as const;
const TOOLS = {
  "claude-code": ["Read", "Bash", "Grep"],
  codex: ["Bash"],
  "mcp-pruner": ["read", "grep", "bash"],
} as const;
const PROJECTS = ["/home/ada/harbour", "/home/ada/lighthouse", "/home/ada/ferry-times"] as const;

/** Sessions of three clients, two of which keep transcripts: what was cut in them, and what they were billed for. */
export function writeMeter(world: World, { days = 14, nowMs = Date.now() } = {}): void {
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const months = new Map<string, string[]>();
  for (let day = days; day >= 0; day--) {
    for (let session = 0; session < 3; session++) {
      const client = pick(CLIENTS);
      const project = pick(PROJECTS);
      const name = `${client}-${day}-${session}`;
      const count = 2 + Math.floor(random() * 9);
      const steps: Step[] = [];
      let context = 18_000;
      for (let i = 0; i < count; i++) {
        const ms = Math.min(nowMs - 1000, nowMs - day * DAY_MS + session * 3_600_000 + i * 40_000);
        const at = new Date(ms).toISOString();
        const raw = 900 + Math.floor(random() ** 2 * 16_000);
        const kept = Math.floor(raw * (0.12 + random() * 0.25));
        const isCut = random() >= 0.06;
        const tool = pick(TOOLS[client]);
        const entry = {
          ts: at,
          kind: isCut ? "cut" : "recovered",
          session: name,
          client,
          tool,
          project,
          raw_tokens: isCut ? raw : Math.floor(raw / 8),
          kept_tokens: isCut ? kept : 0,
          ...(isCut ? { shown_tokens: raw, risk: 0.07, prune_id: PRUNE_ID } : { prune_id: PRUNE_ID }),
          ...(isCut && i === 3 ? { made_visible: 2, visible_failures: 2 } : {}),
          what: pick(["src/harbour.ts", "src/tides/table.ts", "npm test", "lock(ed)?"]),
          focus: pick(["when is the tide table read?", "why does the berth test fail?", "who frees a berth?"]),
          ms: 4 + Math.floor(random() * 30),
        };
        const month = at.slice(0, 7);
        months.set(month, [...(months.get(month) ?? []), JSON.stringify(entry)]);
        const fresh = (i === 0 ? context : kept) + 400;
        const usage =
          client === "codex"
            ? { cached: i === 0 ? 0 : context, plain: fresh, output: 300 }
            : { cached: i === 0 ? 0 : context, written: fresh, output: 300 };
        steps.push({
          at,
          ...(i === 0 ? { prompt: "Go on." } : {}),
          usage,
          tools: [{ tool, text: "tide ".repeat(kept) }],
        });
        context = i === 0 ? fresh : context + fresh;
      }
      writeTranscript(world, { client, name, project, steps });
    }
  }
  mkdirSync(join(world.state, "meter"), { recursive: true });
  for (const [month, lines] of months)
    appendFileSync(join(world.state, "meter", `${month}.jsonl`), `${lines.join("\n")}\n`);
}

const PRUNE_ID = "prn_abcdefghijkl";

function writeTranscript(
  world: World,
  session: {
    readonly client: string;
    readonly name: string;
    readonly project: string;
    readonly steps: readonly Step[];
  },
): void {
  const { client, name, project, steps } = session;
  const of = { session: name, dir: project, steps };
  const home = join(world.dir, client === "codex" ? ".codex/sessions/2026/11/01" : ".claude/projects/-home-ada");
  if (client === "mcp-pruner") return; // a client whose transcripts we do not know
  mkdirSync(home, { recursive: true });
  if (client === "codex") writeFileSync(join(home, `rollout-2026-11-01T10-00-00-${name}.jsonl`), codexTranscript(of));
  else writeFileSync(join(home, `${name}.jsonl`), claudeTranscript(of));
}

/** A session of today with what the overview tells of: a failing test run, one that its client cut, a file read twice. */
export function writeToday(world: World, nowMs = Date.now()): void {
  const at = (minute: number) => new Date(nowMs - 3_600_000 + minute * 60_000).toISOString();
  const lines = Array.from({ length: 1_800 }, (_, i) => `ok ${i + 1} - berth ${i % 40} is free at tide ${i}`);
  lines[1_207] = "not ok 1208 - a ferry finds its berth\n  message: expected berth 7, got berth 8";
  const log = `${lines.join("\n")}\n# fail 1`;
  const hidden = `${"compiling\n".repeat(400)}\n\n... [18988 characters truncated] ...\n\n${"linking\n".repeat(400)}`;
  const file = Array.from({ length: 300 }, (_, i) => `export const tide${i} = read("${i}");`).join("\n");
  const read = { tool: "Read", input: { file_path: "/home/ada/harbour/src/tides.ts" }, text: file };
  const run = (text: string) => ({ tool: "Bash", input: { command: "npm test" }, text, isError: true });
  const tools = [[read], [run(log)], [run(hidden)], [read], ...Array.from({ length: 20 }, () => [])];
  let context = 20_000;
  const steps = tools.map((some, i): Step => {
    const written = i === 0 ? context : 4_000;
    const usage = { cached: i === 0 ? 0 : context, written, output: 200 };
    context += i === 0 ? 0 : written;
    return { at: at(i), ...(i === 0 ? { prompt: "Mend the berth." } : {}), usage, tools: some };
  });
  writeTranscript(world, { client: "claude-code", name: "today", project: "/home/ada/harbour", steps });
}

/** A run with so many events, written as the runner writes them. */
export function writeLongRun(world: World, { id, events }: { readonly id: string; readonly events: number }): string {
  const dir = join(world.state, "runs", id);
  mkdirSync(dir, { recursive: true });
  const file = join(dir, "events.jsonl");
  const from = Date.UTC(2026, 10, 1);
  let lines: string[] = [];
  writeFileSync(file, "");
  const add = (event: string, data: object): void => {
    const ts = new Date(from + lines.length * 10).toISOString();
    lines.push(JSON.stringify({ ts, level: "info", event, data: { run_id: id, ...data } }));
  };
  for (let n = 0, call = 0; n < events; call++) {
    const base = { id: `call_${call}`, tool: "mcp:pruner/read" };
    add("agent.tool_call", {
      ...base,
      input: { file_path: `src/file-${call}.ts`, context_focus_question: `what is ${call}?` },
    });
    add("agent.tool_result", {
      ...base,
      is_error: false,
      text: `line ${call}`,
      raw_bytes: 4_000 + ((call * 37) % 9_000),
      kept_bytes: 900 + ((call * 13) % 700),
      recovered_bytes: 0,
    });
    add("agent.message", { text: `This was call ${call}.` });
    n += 3;
    if (lines.length >= 30_000) {
      appendFileSync(file, `${lines.join("\n")}\n`);
      lines = [];
    }
  }
  if (lines.length > 0) appendFileSync(file, `${lines.join("\n")}\n`);
  const run = {
    schema_version: 1,
    id,
    provider: "scripted",
    cwd: world.project,
    prompt: `A long run of ${events} events`,
    status: "completed",
    started_at: new Date(from).toISOString(),
    ended_at: new Date(from + events * 10).toISOString(),
    tool_calls: Math.floor(events / 3),
    raw_bytes: 9_000_000,
    kept_bytes: 1_200_000,
    recovered_bytes: 0,
  };
  writeFileSync(join(dir, "run.json"), JSON.stringify(run));
  return file;
}

const TASKS: readonly (readonly [title: string, effort: string, priority: string, blockedBy: readonly number[]])[] = [
  ["Read the tide table once a day", "S", "high", []],
  ["A berth is freed when its ship leaves", "M", "normal", []],
  ["Parse arrival messages", "M", "critical", []],
  ["Reject messages without a ship", "S", "normal", [3]],
  ["Plan berths for a whole day", "L", "high", [1, 2, 3]],
  ["Show the plan on the quay board", "M", "normal", [5]],
  ["Warn when two ships want one berth", "M", "high", [5]],
  ["Print the plan for the night shift", "S", "low", [6]],
  ["Keep the last seven plans", "S", "normal", [5]],
  ["Load test: 300 arrivals", "L", "normal", [4, 5]],
];

/** In this process, because a board takes thirty commands; what a test is about is done by the built bin. */
export async function makeHaven(world: World): Promise<void> {
  const rudder = async (args: readonly string[], agent?: string): Promise<void> => {
    const env = { ...world.env, ...(agent === undefined ? {} : { RUDDER_AGENT: agent }) };
    const { exitCode, text } = await runRudder(args, { cwd: world.project, env });
    if (exitCode !== 0) throw new Error(`rudder ${args.join(" ")}: ${text}`);
  };
  await rudder(["init"]);
  await rudder(["prd", "create", "Harbour"]);
  await rudder(["epic", "create", "PRD-001", "Berth planning"]);
  for (const [i, [title, effort, priority, blockedBy]] of TASKS.entries()) {
    await rudder(["task", "create", "E001", title, "--effort", effort]);
    await rudder(["task", "update", taskId(i + 1), "--priority", priority]);
    if (blockedBy.length > 0)
      await rudder(["deps", "add", taskId(i + 1), "--blocked-by", blockedBy.map(taskId).join(",")]);
  }
  await rudder(["assign", "claim", taskId(1)], "ada");
  await rudder(["task", "log", taskId(1), "The tide service wants UTC, whatever its page says", "--tip"], "ada");
  await rudder(["assign", "release", taskId(1)], "ada");
  await rudder(["assign", "claim", taskId(2)], "grace");
  const found = "Ships that only change berth never leave: they need an event of their own";
  await rudder(["task", "log", taskId(2), found], "grace");
  await rudder(["task", "log", taskId(2), "berth.free() is called twice on departure", "--error"], "grace");
}

export function taskId(n: number): string {
  return `T${String(n).padStart(3, "0")}`;
}
