// One real cut, made the way that a client makes it: by what was written into its settings. A failing test run of 2,000
// lines goes through the launcher of commands, the hook, the plugin or the tool; nothing of it is kept or counted.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSystemPerl, isRecord, traitsOf } from "@jeeves/base";
import { HOOK_TOOL } from "@jeeves/intercept";
import { startStdioServer } from "@jeeves/runner";
import { claudeProjectOf } from "../init/claude-project.ts";
import { readSettings } from "../init/settings-file.ts";
import { copyPlugin, cutByCommandHook, cutByPlugin } from "./cut-by-hook.ts";
import { FAILURE, failingRun } from "./failing-run.ts";
import { findHooksOff } from "./hooks-off.ts";
import type { ClientPlan } from "./plan-setup.ts";
import { LIMIT_MS, runProgram } from "./run-program.ts";
import { type SettingsText, type WrittenEntries, type WrittenServer, writtenEntries } from "./written-entries.ts";

/** The outcome of the try. */
export type ShownCut =
  | { readonly kind: "cut"; readonly before: number; readonly lines: readonly string[]; readonly way: string }
  /** The client has no path that can be tried here; its server answers. */
  | { readonly kind: "answers" }
  /** The user turned its hooks off. */
  | { readonly kind: "off"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string; readonly mend?: string };

const OWN_PATH = /\S*jeeves-setup-\w+/;
const CASES = 2_000;
const FAILING = 1_208;

/** A client, and the files that it is set up in, the settings in its plugin (`pluginFiles`) among them. */
export type CutPath = Pick<ClientPlan, "client" | "setUp" | "changes"> & {
  readonly pluginFiles?: readonly SettingsText[];
  /** Its code, where the plugin is a module. */
  readonly pluginMain?: string;
};

/** Never rejects. */
export async function showCut(plan: CutPath): Promise<ShownCut> {
  let dir = "";
  try {
    dir = await mkdtemp(join(tmpdir(), "jeeves-setup-"));
    const texts = await Promise.all(
      plan.changes.map(async ({ path }) => [path, (await readSettings(path)) ?? ""] as const),
    );
    const entries = writtenEntries([...(plan.pluginFiles ?? []), ...texts], claudeProjectOf(plan.setUp.cwd));
    await writeFile(join(dir, "tests.log"), failingRun({ cases: CASES, failing: FAILING }));
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

async function cutBy(
  { client, setUp, pluginFiles, pluginMain }: CutPath,
  entries: WrittenEntries,
  dir: string,
): Promise<ShownCut> {
  const traits = traitsOf(client.name);
  // A store and a meter of its own, and shown also where the mode is shadow.
  const own = { JEEVES_STATE_DIR: join(dir, "state"), JEEVES_MODE: "on", MCP_PRUNER_CWD: dir };
  const env = { ...setUp.env, ...entries.env, ...own };
  const { server } = entries;
  // A plugin has its hooks with it.
  if (pluginFiles === undefined && server !== undefined && !hasTools(server) && !entries.asksServer)
    return { kind: "failed", why: "its settings name our server, and no hook that asks it" };
  const off = await findHooksOff(traits, setUp);
  if (off !== undefined && entries.prefix === undefined) return { kind: "off", why: off };
  if (entries.prefix !== undefined) {
    const line = `true && eval 'sh test.sh' < /dev/null && pwd -P >| ${join(dir, "cwd")}`;
    return orNoPerl(toCut(await runProgram([entries.prefix, line], { cwd: dir, env }), "a command"));
  }
  const ran = { command: "sh test.sh", output: failingRun({ cases: CASES, failing: FAILING }) };
  if (entries.hook !== undefined)
    return toCut(await cutByCommandHook(entries.hook, ran, { cwd: dir, env }), "a command, by its hook");
  if (pluginMain !== undefined || entries.plugin !== undefined) {
    const place = { cwd: dir, env };
    const path = pluginMain ?? (await copyPlugin(entries.plugin ?? "", place));
    return toCut(await cutByPlugin(path, ran, place), "a command, by its plugin");
  }
  if (server === undefined) return { kind: "failed", why: "its settings name no server of ours" };
  const { command, args, env: serverEnv } = server;
  const running = await startStdioServer(
    { command, args, env: { ...serverEnv, ...own } },
    { cwd: dir, env, signal: AbortSignal.timeout(LIMIT_MS), startMs: LIMIT_MS, clientName: traits.id },
  );
  try {
    const ask = async (tool: string, words: object) => textOf((await running.call(tool, words)).result.content);
    if (hasTools(server)) {
      const words = { file_path: join(dir, "tests.log"), context_focus_question: "Which test fails, and why?" };
      return toCut(await ask("read", words), "the tool read");
    }
    const place = { dir, env, execPath: setUp.execPath };
    return (await cutByHook(ask, place)) ?? (await cutRead(ask, place));
  } finally {
    await running.stop();
  }
}

/** Whether it lists more than the way back: then its tools are what is cut, and hooks are not needed. */
function hasTools({ env }: WrittenServer): boolean {
  return env.MCP_PRUNER_TOOLS?.split(",").includes("read") ?? false;
}

type Ask = (tool: string, words: object) => Promise<string>;

interface HookPlace {
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly execPath: string;
}

/** A hook that rewrites a command to run under our launcher; undefined where it rewrites none. */
async function cutByHook(ask: Ask, place: HookPlace): Promise<ShownCut | undefined> {
  const event = { hook_event_name: "PreToolUse", tool_name: "Bash" };
  const output = await askHook(ask, place, { ...event, tool_input: JSON.stringify({ command: "sh test.sh" }) });
  const input = isRecord(output.updatedInput) ? output.updatedInput : {};
  if (typeof input.command !== "string") return undefined;
  const shown = await runProgram(["/bin/sh", "-c", input.command], { cwd: place.dir, env: place.env });
  return orNoPerl(toCut(shown, "a command, by its hook"));
}

/** The launcher needs Perl: without it a command runs bare, and no other set-up would change that. */
async function orNoPerl(cut: ShownCut): Promise<ShownCut> {
  if (cut.kind !== "failed" || (await findSystemPerl()) !== undefined) return cut;
  return { kind: "failed", why: "commands are shown whole, because there is no Perl", mend: "install perl" };
}

/** A hook that replaces what the client's own Read shows. */
async function cutRead(ask: Ask, place: HookPlace): Promise<ShownCut> {
  const path = join(place.dir, "tests.log");
  const content = failingRun({ cases: CASES, failing: FAILING });
  const count = content.split("\n").length;
  const file = { filePath: path, content, numLines: count, startLine: 1, totalLines: count };
  const output = await askHook(ask, place, {
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: JSON.stringify({ file_path: path }),
    tool_response: JSON.stringify({ type: "text", file }),
  });
  const { updatedToolOutput: updated } = output;
  const shown = isRecord(updated) && isRecord(updated.file) ? updated.file.content : undefined;
  return typeof shown === "string" ? toCut(shown, "a Read, by its hook") : { kind: "answers" };
}

async function askHook(ask: Ask, { dir, execPath }: HookPlace, event: Readonly<Record<string, string>>) {
  const call = { tool_use_id: event.tool_name, session_id: "setup", cwd: dir, own_server: "jeeves" };
  const answer: unknown = JSON.parse(await ask(HOOK_TOOL, { ...event, ...call, exec_path: execPath }));
  return isRecord(answer) && isRecord(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
}

function toCut(shown: string, way: string): ShownCut {
  const lines = shown.replace(/\n$/, "").split("\n");
  const before = failingRun({ cases: CASES, failing: FAILING }).split("\n").length - 1;
  if (lines.length >= before) return { kind: "failed", why: `${way} came back whole: ${lines.length} lines` };
  if (!shown.includes(FAILURE))
    return { kind: "failed", why: `${way} came back without the failure: ${shown.slice(0, 200)}` };
  return { kind: "cut", before, lines, way };
}

function textOf(content: readonly unknown[]): string {
  return content.map((item) => (isRecord(item) && typeof item.text === "string" ? item.text : "")).join("\n");
}
