// The tool `jeeves_hook`: answered, but never listed. A client's hook calls it with a tool event; its text is the
// hook's answer as JSON. It must never make a call of the client's own tools fail: after any error the answer is empty.
import { join } from "node:path";
import { CLIENTS, clientHomeOf, findBeside } from "@jeeves/base";
import { hookOwnerOf } from "@jeeves/cut";
import { defineTool, type ToolCall, type ToolDefinition, type ToolOutcome } from "@jeeves/kit/mcp";
import * as z from "zod";
import type { ToolDeps } from "./tool-deps.ts";

const argumentsSchema = z.record(z.string(), z.unknown());
type HookArguments = z.infer<typeof argumentsSchema>;

/** `jeeves_hook`. It never fails: an event that it cannot handle gets `{}`, which changes nothing. */
export function createHookTool(deps: ToolDeps): ToolDefinition {
  const { cutter, store, meter, env, project, root } = deps;
  const unknownShapes: string[] = [];
  const onUnknownShape = (tool: string) => void unknownShapes.push(tool);
  // Without our tool the client's own Read is the way back.
  const recovery = deps.config.MCP_PRUNER_TOOLS.includes("recover_text") ? "tool" : "file";
  const given = { cutter, store, meter, env, project, recovery, root: root.path, onUnknownShape } as const;
  // Loaded with the first event: at the start it would cost every session a tenth of its time.
  const load = async () => {
    const { createInterceptor, parseToolEvent, toHookOutput } = await import("@jeeves/intercept");
    return { interceptor: createInterceptor(given), parseToolEvent, toHookOutput };
  };
  let loading: ReturnType<typeof load> | undefined;
  const warned = new Set<string>();
  const pluginPlaces = placesOfPlugin(env);

  async function run(args: HookArguments, call: ToolCall): Promise<ToolOutcome> {
    // `jeeves run` answers in its own process, or hooks are switched off.
    if (hookOwnerOf(env) !== "server") return { text: "{}" };
    try {
      loading ??= load();
      const { interceptor, parseToolEvent, toHookOutput } = await loading;
      const event = parseToolEvent({ ...pluginPlaces, ...args });
      if (event === undefined) {
        warnOnce(`event ${String(args.hook_event_name).slice(0, 100)}`, call);
        return { text: "{}" };
      }
      deps.sessions.learn(event.sessionId);
      const { client, signal, maxResultChars: maxChars } = call;
      const answer = await interceptor.handle(event, {
        client: client.name,
        signal,
        maxChars,
        rules: () => deps.rulesOf(call),
      });
      for (const tool of unknownShapes.splice(0)) warnOnce(`result of ${tool.slice(0, 100)}`, call);
      return {
        text: JSON.stringify(toHookOutput(answer, event.moment)),
        mode: answer === undefined ? "raw" : "pruned",
      };
    } catch (error) {
      call.events.emit("error", "hook.failed", { message: error instanceof Error ? error.message : String(error) });
      return { text: "{}" };
    }
  }

  function warnOnce(what: string, call: ToolCall): void {
    if (warned.has(what) || warned.size >= 100) return;
    warned.add(what);
    call.events.emit("warn", "hook.unknown_shape", { what, client: call.client.name, version: call.client.version });
  }

  return defineTool<HookArguments>({
    name: "jeeves_hook",
    description: "",
    args: argumentsSchema,
    inputSchema: { type: "object" },
    listed: false,
    run,
  });
}

/** What `jeeves init` writes into a hook's input, and a plugin, whose place only its client knows, cannot. */
function placesOfPlugin(env: NodeJS.ProcessEnv): Readonly<Record<string, unknown>> {
  const client = CLIENTS.find(({ id }) => id === env.JEEVES_PLUGIN);
  if (client === undefined) return {};
  return {
    exec_path: findBeside("cli/bin/jeeves-exec", import.meta.url),
    rules_dir: join(clientHomeOf(client, env), "rules"),
  };
}
