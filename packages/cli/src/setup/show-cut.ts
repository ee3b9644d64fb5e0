// One real cut, made the way that a client makes it: by what was written into its settings. A failing test run of 2,000
// lines goes through the launcher of commands, the hook, the plugin or the tool; nothing of it is kept or counted.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRecord, traitsOf } from "@jeeves/base";
import { HOOK_TOOL } from "@jeeves/intercept";
import { startStdioServer } from "@jeeves/runner";
import { readSettings } from "../init/settings-file.ts";
import { cutByCommandHook, cutByPlugin } from "./cut-by-hook.ts";
import type { ClientPlan } from "./plan-setup.ts";
import { LIMIT_MS, runProgram } from "./run-program.ts";
import { type WrittenEntries, writtenEntries } from "./written-entries.ts";

/** What came of it. */
export type ShownCut =
  | { readonly kind: "cut"; readonly before: number; readonly lines: readonly string[]; readonly way: string }
  /** The client has no path that can be tried here; its server answers. */
  | { readonly kind: "answers" }
  | { readonly kind: "failed"; readonly why: string };

const OWN_PATH = /\S*jeeves-setup-\w+/;
const CASES = 2_000;
const FAILING = 1_208;
const FAILURE = "login sets the session cookie";

/** A client, and the files that it is set up in. */
export type CutPath = Pick<ClientPlan, "client" | "setUp" | "changes">;

/** Never rejects. */
export async function showCut(plan: CutPath): Promise<ShownCut> {
  let dir = "";
  try {
    dir = await mkdtemp(join(tmpdir(), "jeeves-setup-"));
    const texts = await Promise.all(
      plan.changes.map(async ({ path }) => [path, (await readSettings(path)) ?? ""] as const),
    );
    const entries = writtenEntries(texts);
    await writeFile(join(dir, "tests.log"), testRun());
    await writeFile(join(dir, "test.sh"), "cat tests.log\nexit 1\n");
    const shown = await cutBy(plan, entries, dir);
    // Its store goes with the directory.
    return shown.kind === "cut" ? { ...shown, lines: shown.lines.map((line) => line.replace(OWN_PATH, "…")) } : shown;
  } catch (error) {
    return { kind: "failed", why: error instanceof Error ? error.message : String(error) };
  } finally {
    if (dir !== "") await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function cutBy({ client, setUp }: CutPath, entries: WrittenEntries, dir: string): Promise<ShownCut> {
  const traits = traitsOf(client.name);
  // A store and a meter of its own, and shown also where the mode is shadow.
  const own = { JEEVES_STATE_DIR: join(dir, "state"), JEEVES_MODE: "on", MCP_PRUNER_CWD: dir };
  const env = { ...setUp.env, ...entries.env, ...own };
  if (entries.prefix !== undefined) {
    const line = `true && eval 'sh test.sh' < /dev/null && pwd -P >| ${join(dir, "cwd")}`;
    return toCut(await runProgram([entries.prefix, line], { cwd: dir, env }), "a command");
  }
  const ran = { command: "sh test.sh", output: testRun() };
  if (entries.hook !== undefined)
    return toCut(await cutByCommandHook(entries.hook, ran, { cwd: dir, env }), "a command, by its hook");
  if (entries.plugin !== undefined)
    return toCut(await cutByPlugin(entries.plugin, ran, { cwd: dir, env }), "a command, by its plugin");
  if (entries.server === undefined) return { kind: "failed", why: "its settings name no server of ours" };
  const { command, args, env: serverEnv } = entries.server;
  const server = await startStdioServer(
    { command, args, env: { ...serverEnv, ...own } },
    { cwd: dir, env, signal: AbortSignal.timeout(LIMIT_MS), startMs: LIMIT_MS, clientName: traits.id },
  );
  try {
    const ask = async (tool: string, words: object) => textOf((await server.call(tool, words)).result.content);
    if (serverEnv.MCP_PRUNER_TOOLS?.split(",").includes("read")) {
      const words = { file_path: join(dir, "tests.log"), context_focus_question: "Which test fails, and why?" };
      return toCut(await ask("read", words), "the tool read");
    }
    return await cutByHook(ask, { dir, env, execPath: setUp.execPath });
  } finally {
    await server.stop();
  }
}

/** A hook that rewrites a command to run under our launcher. */
async function cutByHook(
  ask: (tool: string, words: object) => Promise<string>,
  { dir, env, execPath }: { readonly dir: string; readonly env: NodeJS.ProcessEnv; readonly execPath: string },
): Promise<ShownCut> {
  const answer: unknown = JSON.parse(
    await ask(HOOK_TOOL, {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: JSON.stringify({ command: "sh test.sh" }),
      tool_use_id: "setup",
      session_id: "setup",
      cwd: dir,
      own_server: "jeeves",
      exec_path: execPath,
    }),
  );
  const output = isRecord(answer) && isRecord(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
  const input = isRecord(output.updatedInput) ? output.updatedInput : {};
  if (typeof input.command !== "string") return { kind: "answers" };
  return toCut(await runProgram(["/bin/sh", "-c", input.command], { cwd: dir, env }), "a command, by its hook");
}

function toCut(shown: string, way: string): ShownCut {
  const lines = shown.replace(/\n$/, "").split("\n");
  const before = testRun().split("\n").length - 1;
  if (lines.length >= before) return { kind: "failed", why: `${way} came back whole: ${lines.length} lines` };
  if (!shown.includes(FAILURE))
    return { kind: "failed", why: `${way} came back without the failure: ${shown.slice(0, 200)}` };
  return { kind: "cut", before, lines, way };
}

function testRun(): string {
  const failure = [
    `not ok ${FAILING} - ${FAILURE}`,
    "  ---",
    "  message: expected 'Secure' in the cookie, got 'HttpOnly'",
    "  at: test/login.test.js:42:7",
    "  ...",
  ];
  const cases = Array.from({ length: CASES }, (_, index) =>
    index + 1 === FAILING ? failure : [`ok ${index + 1} - case ${index + 1} of the suite passes`],
  );
  return `${["TAP version 13", ...cases.flat(), `1..${CASES}`, `# pass ${CASES - 1}`, "# fail 1"].join("\n")}\n`;
}

function textOf(content: readonly unknown[]): string {
  return content.map((item) => (isRecord(item) && typeof item.text === "string" ? item.text : "")).join("\n");
}
