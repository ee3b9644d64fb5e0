// The same text gives the same bytes on an idle machine and beside four busy loops, through every door: work is counted,
// never timed. `npm run soak` only, for the sake of the machine; test/architecture.test.ts keeps clocks out of the engine.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openService, openTools, runJeeves, runUnderExec, toReadEvent } from "./one-cut/doors.ts";
import { FILE, makePlace, type Place, QUESTION, TEXT } from "./one-cut/given.ts";
import { hasTimeLeft, isSoak } from "./soak-time.mjs";

const LOOPS = 4;
const HOOK = fileURLToPath(new URL("../packages/cli/bin/jeeves-hook", import.meta.url));
/** Ends with this process, however that ends. */
const LOOP = "const parent = process.ppid; while (process.ppid === parent);";
/** Comments that nothing closes: a parse of them takes about as long as one of a very large file. */
const SLOW_TEXT = `${TEXT}\n${"/* a\n".repeat(1_500)}`;
/** A test run that takes seconds to cut, and many more beside busy loops. */
const LONG_LOG = `${Array.from({ length: 70_000 }, (_, i) => `ok ${i + 1} - case ${i} of the suite`).join("\n")}\nnot ok 70001 - login\n`;

/** The doors that wait for a program of ours, and show a text whole when it is late. */
function goThroughCommandDoors(text: string): Record<string, string> {
  const place = makePlace();
  try {
    writeFileSync(join(place.root, FILE), text);
    const shown = { "jeeves-exec": runUnderExec(`cat ${FILE}`, place), gemini: runGeminiHook(text, place) };
    return Object.fromEntries(
      Object.entries(shown).map(([door, bytes]) => [door, bytes.replaceAll(place.root, "ROOT")]),
    );
  } finally {
    place.remove();
  }
}

/** What Gemini CLI shows in the place of a command's output. */
function runGeminiHook(text: string, { root, env }: Place): string {
  const chats = join(root, "tmp", "project", "chats");
  mkdirSync(chats, { recursive: true });
  const event = {
    ...{ session_id: "s", transcript_path: join(chats, "session-1.jsonl"), cwd: root, hook_event_name: "AfterTool" },
    ...{ tool_name: "run_shell_command", tool_input: { command: "npm test" } },
    tool_response: { llmContent: `Output: ${text}Exit Code: 1`, returnDisplay: "" },
  };
  const { stdout } = spawnSync(HOOK, ["gemini"], { cwd: root, env, input: JSON.stringify(event), encoding: "utf8" });
  const [, path] = /"file_path":"([^"]+)"/.exec(stdout) ?? [];
  return path === undefined ? "shown whole" : readFileSync(path, "utf8");
}

async function goThroughAllDoors(text: string): Promise<Record<string, string>> {
  const place = makePlace();
  writeFileSync(join(place.root, FILE), text);
  const tools = await openTools(place, "test");
  const hooks = await openTools(place, "claude-code");
  const service = await openService(place);
  try {
    const asked = { context_focus_question: QUESTION };
    const prune = { query: QUESTION, code: text };
    const { pruned_code: chosen } = await service.post("/prune", prune);
    const { pruned_code: share } = await service.post("/prune", { ...prune, max_prune_ratio: 0.7 });
    const shown = {
      read: await tools.call("read", { file_path: FILE, ...asked }),
      bash: await tools.call("bash", { command: `cat ${FILE}`, ...asked }),
      grep: await tools.call("grep", { pattern: "row|voucher|a", path: FILE, max_matches: 5_000, ...asked }),
      hook: await hooks.call("jeeves_hook", toReadEvent(text, place)),
      "jeeves-exec": runUnderExec(`cat ${FILE}`, place),
      "/prune": chosen,
      "/prune, a share": share,
      "jeeves prune": runJeeves(["prune", FILE, "--focus", QUESTION], place),
    };
    // Each place has its own name.
    const toPlain = ([door, bytes]: [string, string]) => [door, bytes.replaceAll(place.root, "ROOT")];
    return Object.fromEntries(Object.entries(shown).map(toPlain));
  } finally {
    await Promise.all([tools.close(), hooks.close(), service.close()]);
    place.remove();
  }
}

async function besideBusyLoops<T>(work: () => Promise<T>): Promise<T> {
  const start = (): ChildProcess => spawn(process.execPath, ["-e", LOOP], { stdio: "ignore" });
  const loops = Array.from({ length: LOOPS }, start);
  try {
    return await work();
  } finally {
    const gone = loops.map((loop) => once(loop, "exit"));
    for (const loop of loops) loop.kill("SIGKILL");
    await Promise.all(gone);
  }
}

it.runIf(isSoak).for([
  ["code", TEXT],
  ["a text that is slow to parse", SLOW_TEXT],
] as const)("a busy machine cut the same text differently: %s", { timeout: 300_000 }, async ([_, text], { skip }) => {
  skip(!hasTimeLeft(0.6), "the time of the soak is over");
  const idle = await goThroughAllDoors(text);
  expect(await besideBusyLoops(() => goThroughAllDoors(text))).toEqual(idle);
});

it.runIf(isSoak)(
  "a busy machine showed a large output whole, where a command waits for its cut",
  async ({ skip }) => {
    skip(!hasTimeLeft(0.6), "the time of the soak is over");
    const idle = goThroughCommandDoors(LONG_LOG);
    expect(Object.values(idle).map((shown) => shown.length < 5_000 && shown.includes("not ok"))).toEqual([true, true]);
    const busy = await besideBusyLoops(async () => goThroughCommandDoors(LONG_LOG));
    expect(busy).toEqual(idle);
  },
  300_000,
);
