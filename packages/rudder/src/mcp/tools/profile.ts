// The eleven tools of one connection (R-12 … R-24): whose calls they are, and what they may concern, the connection
// tells and never an argument. Every answer is text; a refusal is text with isError.
import { VERSION } from "@jeeves/base";
import { defineTool, type Profile, type ToolCall, type ToolDefinition, type ToolOutcome } from "@jeeves/kit/mcp";
import type { Answer, Outcome } from "../../answers/answer.ts";
import { shownAnswer } from "../../answers/artefacts.ts";
import { depsAnswer } from "../../answers/deps.ts";
import { claimedAnswer, releasedAnswer } from "../../answers/leases.ts";
import { contextAnswer, loggedAnswer, memoryAnswer } from "../../answers/memory.ts";
import { countsAnswer, statusAnswer, targetsAnswer, versionsAnswer } from "../../answers/project.ts";
import type { Caller } from "../../lease/lease.ts";
import { RudderError } from "../../rudder-error.ts";
import { show } from "../../tasks/artefacts/show.ts";
import { showDeps } from "../../tasks/deps/deps.ts";
import { claim, release } from "../../tasks/leases/leases.ts";
import { log } from "../../tasks/log.ts";
import { showTaskMemory } from "../../tasks/memory/memory.ts";
import type { TaskSession } from "../../tasks/session.ts";
import { status, statusCounts } from "../../tasks/status.ts";
import { targets, versions } from "../../tasks/versions.ts";
import { cliArguments, contextArguments, logArguments, nothing, ofTask } from "./arguments.ts";
import { fitResult } from "./fit-result.ts";
import { operationOf } from "./operation-id.ts";
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
import type { Asking, TaskService } from "./task-service.ts";
import { tokenise } from "./tokenise.ts";

/** How calls come in on one connection: whose they are, and what they may concern. */
export interface ProfileOptions {
  /**
   * Asked with every call: a bridge may tell its name after it has connected, and HTTP has many sessions. Throws where
   * the caller has taken a name that is not its own.
   */
  caller(call: ToolCall): Caller | Promise<Caller>;
  /** calls may concern this task alone. */
  readonly taskId?: string | undefined;
  readonly methods?: Profile["methods"];
  readonly notifications?: Profile["notifications"];
}

/** About so many characters are a token; a context is cut by tokens, with care, before it is cut by characters. */
const CHARS_PER_TOKEN = 4;
const MIN_BUDGET = 200;
const DEFAULT_BUDGET = 6_000;

/** The tools of one connection. Unknown tools and wrong arguments are answered with isError. */
export function createProfile(service: TaskService, options: ProfileOptions): Profile {
  return {
    name: "rudder",
    version: VERSION,
    instructions: INSTRUCTIONS,
    unknownTool: "error_result",
    badArguments: "error_result",
    tools: toolsOf(service, options),
    ...(options.methods === undefined ? {} : { methods: options.methods }),
    ...(options.notifications === undefined ? {} : { notifications: options.notifications }),
  };
}

function toolsOf(service: TaskService, options: ProfileOptions): ToolDefinition[] {
  /** One call: who asks and under which operation is settled before anything is done. */
  const asked = async (
    tool: { readonly name: string; readonly args: unknown },
    call: ToolCall,
    act: (asking: Asking) => Promise<Outcome>,
  ): Promise<ToolOutcome> => {
    try {
      const operation = operationOf(call, tool);
      const caller = await options.caller(call);
      const outcome = await act({ caller, signal: call.signal, operation });
      // A request without a session is a connection that has ended with its answer.
      if (call.isStateless) await service.left(caller);
      return toResult(outcome, call);
    } catch (error) {
      if (!(error instanceof RudderError)) throw error;
      return { text: `${error.message}\n${error.hint}`, isError: true };
    }
  };
  const onTask =
    <A extends { readonly task_id: string }>(
      name: string,
      act: (session: TaskSession, args: A, call: ToolCall) => Promise<Answer>,
    ) =>
    (args: A, call: ToolCall): Promise<ToolOutcome> =>
      asked({ name, args }, call, (asking) =>
        service.run(async (session) => {
          if (options.taskId !== undefined) requireTask(args.task_id, options.taskId);
          return act(session, args, call);
        }, asking),
      );
  const counts = async (session: TaskSession): Promise<Answer> =>
    options.taskId === undefined
      ? statusAnswer(await status(session), { haven: session.store.haven })
      : countsAnswer(await statusCounts(session));
  return [
    defineTool({
      ...taskLogSurface,
      args: logArguments,
      run: onTask("task_log", async (session, { task_id, message, level, file, command }) => {
        const files = file === undefined ? undefined : [file];
        return loggedAnswer(await log(session, { id: task_id, message, level, files, command }));
      }),
    }),
    defineTool({
      ...taskShowSurface,
      args: ofTask,
      run: onTask("task_show", async (session, { task_id }) => shownAnswer(await show(session, "task", task_id))),
    }),
    defineTool({
      ...taskShowMemorySurface,
      args: ofTask,
      run: onTask("task_show_memory", async (session, { task_id }) =>
        memoryAnswer(await showTaskMemory(session, task_id)),
      ),
    }),
    defineTool({
      ...taskTargetsSurface,
      args: ofTask,
      run: onTask("task_targets", async (session, { task_id }) => targetsAnswer(await targets(session, task_id))),
    }),
    defineTool({
      ...assignClaimSurface,
      args: ofTask,
      run: onTask("assign_claim", async (session, { task_id }, call) =>
        claimedAnswer(await claim(session, { id: task_id, operation: "task-start", budget: budgetOf(call) })),
      ),
    }),
    defineTool({
      ...assignReleaseSurface,
      args: ofTask,
      run: onTask("assign_release", async (session, { task_id }) =>
        releasedAnswer(await release(session, { id: task_id })),
      ),
    }),
    defineTool({
      ...depsShowSurface,
      args: ofTask,
      run: onTask("deps_show", async (session, { task_id }) => depsAnswer(await showDeps(session, task_id), {})),
    }),
    defineTool({
      ...contextLoadSurface,
      args: contextArguments,
      run: (args, call) =>
        asked({ name: "context_load", args }, call, (asking) =>
          service.run(async (session) => {
            if (options.taskId !== undefined) requireTask(args.operation, options.taskId);
            const { loadContext } = await import("../../tasks/context.ts");
            const request = { what: args.operation, role: args.role, budget: budgetOf(call) };
            return contextAnswer(await loadContext(session, request));
          }, asking),
        ),
    }),
    defineTool({
      ...versionsSurface,
      args: nothing,
      run: (args, call) =>
        asked({ name: "versions", args }, call, (asking) =>
          service.run(async (session) => versionsAnswer(await versions(session)), asking),
        ),
    }),
    defineTool({
      ...statusSurface,
      args: nothing,
      run: (args, call) => asked({ name: "status", args }, call, (asking) => service.run(counts, asking)),
    }),
    defineTool({
      ...cliSurface,
      args: cliArguments,
      run: (args, call) =>
        asked({ name: "cli", args }, call, async (asking) => {
          const argv = withoutProgram(tokenise(args.command));
          const words = await service.commandLine.read(argv);
          if (words !== undefined) requireHarmless(words);
          if (words !== undefined && options.taskId !== undefined) {
            if (words.root !== undefined) throw accessDenied(options.taskId);
            requireAllowed(words, argv, options.taskId);
            if (words.path.join(" ") === "status") return service.run(toJsonIf(words.isJson, counts), asking);
          }
          return service.runWords(argv, asking);
        }),
    }),
  ];
}

/** Models write the program's name although they need not. */
function withoutProgram(argv: readonly string[]): readonly string[] {
  return argv[0] === "rudder" ? argv.slice(1) : argv;
}

function toJsonIf(isJson: boolean, act: (session: TaskSession) => Promise<Answer>) {
  return async (session: TaskSession): Promise<Answer> => {
    const answer = await act(session);
    return isJson ? { ...answer, text: JSON.stringify(answer.json, null, 2) } : answer;
  };
}

function budgetOf(call: ToolCall): number {
  if (call.maxResultChars === undefined) return DEFAULT_BUDGET;
  return Math.max(MIN_BUDGET, Math.min(DEFAULT_BUDGET, Math.floor(call.maxResultChars / CHARS_PER_TOKEN)));
}

function toResult(outcome: Outcome, call: ToolCall): ToolOutcome {
  const isError = outcome.exitCode !== 0;
  const notes = outcome.isJson ? [] : outcome.notes.map((note) => `\nnote: ${note}`);
  const text = `${outcome.text.trimEnd()}${notes.join("")}` || "(nothing)";
  return { text: fitResult(text, isError ? call.maxErrorChars : call.maxResultChars), ...(isError ? { isError } : {}) };
}
