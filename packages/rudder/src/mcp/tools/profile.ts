// The eleven tools of one connection (R-12 … R-24): whose calls they are, and what they may concern, is known from the
// way in and never from an argument. Every answer is text; a refusal is text with isError.
import { VERSION } from "@jeeves/base";
import { defineTool, type Profile, type ToolCall, type ToolDefinition, type ToolOutcome } from "@jeeves/kit/mcp";
import type { Answer, Outcome } from "../../cli/answer.ts";
import { readWords } from "../../cli/read-words.ts";
import type { Session } from "../../cli/session.ts";
import type { Caller } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { cliArguments, contextArguments, logArguments, nothing, ofTask } from "./arguments.ts";
import type { Desk } from "./desk.ts";
import { fitResult } from "./fit-result.ts";
import { accessDenied, requireAllowed, requireHarmless, requireTask } from "./restriction.ts";
import {
  assignClaimSurface,
  assignReleaseSurface,
  cliSurface,
  contextLoadSurface,
  depsShowSurface,
  INSTRUCTIONS,
  statusSurface,
  taskLogSurface,
  taskShowMemorySurface,
  taskShowSurface,
  taskTargetsSurface,
  versionsSurface,
} from "./surface.ts";
import { tokenise } from "./tokenise.ts";

export interface Way {
  /** Asked with every call: a bridge may tell its name after it has connected, and HTTP has many sessions. */
  caller(call: ToolCall): Caller;
  /** calls may concern this task alone. */
  readonly taskId?: string | undefined;
  readonly methods?: Profile["methods"];
  readonly notifications?: Profile["notifications"];
}

/** What four characters are worth, about; a context is cut by tokens, with care, before it is cut by characters. */
const CHARS_PER_TOKEN = 4;
const MIN_BUDGET = 200;
const DEFAULT_BUDGET = 6_000;

export function createProfile(desk: Desk, way: Way): Profile {
  return {
    name: "rudder",
    version: VERSION,
    instructions: INSTRUCTIONS,
    unknownTool: "error_result",
    badArguments: "error_result",
    tools: toolsOf(desk, way),
    ...(way.methods === undefined ? {} : { methods: way.methods }),
    ...(way.notifications === undefined ? {} : { notifications: way.notifications }),
  };
}

function toolsOf(desk: Desk, way: Way): ToolDefinition[] {
  const asking = (call: ToolCall) => ({ caller: way.caller(call), signal: call.signal });
  const run = async (call: ToolCall, act: (session: Session) => Promise<Answer>): Promise<ToolOutcome> =>
    toOutcome(await desk.run(act, asking(call)), call);
  const onTask =
    <A extends { readonly task_id: string }>(act: (session: Session, args: A, call: ToolCall) => Promise<Answer>) =>
    (args: A, call: ToolCall): Promise<ToolOutcome> =>
      run(call, async (session) => {
        if (way.taskId !== undefined) requireTask(args.task_id, way.taskId);
        return act(session, args, call);
      });
  const counts = async (session: Session): Promise<Answer> => {
    const { status, statusCounts } = await import("../../cli/commands/status.ts");
    return way.taskId === undefined ? status(session) : statusCounts(session);
  };
  return [
    defineTool({
      ...taskLogSurface,
      args: logArguments,
      run: onTask(async (session, { task_id, message, level, file, command }) => {
        const { log } = await import("../../cli/commands/log.ts");
        const about = {
          ...(file === undefined ? {} : { file: [file] }),
          ...(command === undefined ? {} : { command }),
        };
        return log(session, { id: task_id, message, options: { level, ...about } });
      }),
    }),
    defineTool({
      ...taskShowSurface,
      args: ofTask,
      run: onTask(async (session, { task_id }) =>
        (await import("../../cli/commands/artefacts/show.ts")).show(session, "task", task_id),
      ),
    }),
    defineTool({
      ...taskShowMemorySurface,
      args: ofTask,
      run: onTask(async (session, { task_id }) =>
        (await import("../../cli/commands/memory.ts")).showTaskMemory(session, task_id),
      ),
    }),
    defineTool({
      ...taskTargetsSurface,
      args: ofTask,
      run: onTask(async (session, { task_id }) =>
        (await import("../../cli/commands/versions.ts")).targets(session, task_id),
      ),
    }),
    defineTool({
      ...assignClaimSurface,
      args: ofTask,
      run: onTask(async (session, { task_id }, call) =>
        (await import("../../cli/commands/assign.ts")).claim(session, {
          id: task_id,
          operation: "task-start",
          budget: budgetOf(call),
        }),
      ),
    }),
    defineTool({
      ...assignReleaseSurface,
      args: ofTask,
      run: onTask(async (session, { task_id }) =>
        (await import("../../cli/commands/assign.ts")).release(session, { id: task_id }),
      ),
    }),
    defineTool({
      ...depsShowSurface,
      args: ofTask,
      run: onTask(async (session, { task_id }) =>
        (await import("../../cli/commands/deps/deps.ts")).showDeps(session, task_id),
      ),
    }),
    defineTool({
      ...contextLoadSurface,
      args: contextArguments,
      run: ({ operation, role }, call) =>
        run(call, async (session) => {
          if (way.taskId !== undefined) requireTask(operation, way.taskId);
          const { loadContext } = await import("../../cli/commands/context.ts");
          return loadContext(session, { what: operation, role, budget: budgetOf(call) });
        }),
    }),
    defineTool({
      ...versionsSurface,
      args: nothing,
      run: (_args, call) =>
        run(call, async (session) => (await import("../../cli/commands/versions.ts")).versions(session)),
    }),
    defineTool({ ...statusSurface, args: nothing, run: (_args, call) => run(call, counts) }),
    defineTool({
      ...cliSurface,
      args: cliArguments,
      run: async ({ command }, call) => {
        try {
          const argv = withoutProgram(tokenise(command));
          const words = await readWords(argv);
          if (words !== undefined) requireHarmless(words);
          if (words !== undefined && way.taskId !== undefined) {
            if (words.root !== undefined) throw accessDenied(way.taskId);
            requireAllowed(words, argv, way.taskId);
            if (words.path.join(" ") === "status") return await run(call, toJsonIf(words.isJson, counts));
          }
          return toOutcome(await desk.runWords(argv, asking(call)), call);
        } catch (error) {
          if (!(error instanceof RudderError)) throw error;
          return { text: `${error.message}\n${error.hint}`, isError: true };
        }
      },
    }),
  ];
}

/** Models write the program's name although they need not. */
function withoutProgram(argv: readonly string[]): readonly string[] {
  return argv[0] === "rudder" ? argv.slice(1) : argv;
}

function toJsonIf(isJson: boolean, act: (session: Session) => Promise<Answer>) {
  return async (session: Session): Promise<Answer> => {
    const answer = await act(session);
    return isJson ? { ...answer, text: JSON.stringify(answer.json, null, 2) } : answer;
  };
}

function budgetOf(call: ToolCall): number {
  if (call.maxResultChars === undefined) return DEFAULT_BUDGET;
  return Math.max(MIN_BUDGET, Math.min(DEFAULT_BUDGET, Math.floor(call.maxResultChars / CHARS_PER_TOKEN)));
}

function toOutcome(outcome: Outcome, call: ToolCall): ToolOutcome {
  const isError = outcome.exitCode !== 0;
  const notes = outcome.isJson ? [] : outcome.notes.map((note) => `\nnote: ${note}`);
  const text = `${outcome.text.trimEnd()}${notes.join("")}` || "(nothing)";
  return { text: fitResult(text, isError ? call.maxErrorChars : call.maxResultChars), ...(isError ? { isError } : {}) };
}
