// What this server itself costs: its tools and instructions are read on every turn, whether anything is cut or not. One
// line in the meter for each session, after its first call.
import { estimateTokens, type Meter, readMode, toMeterInput } from "@jeeves/cut";
import type { ToolCall, ToolDefinition } from "@jeeves/kit/mcp";
import type { Sessions } from "../session.ts";

interface Surface {
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
}

interface SurfaceMeterDeps {
  readonly meter: Meter;
  readonly sessions: Sessions;
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** More sessions than a server has at a time; beyond it the least recently used one is forgotten. */
const MAX_SESSIONS = 1_000;

/** The same tools; the first call of each session records what they cost. */
export function withSurfaceMeter(surface: Surface, deps: SurfaceMeterDeps): readonly ToolDefinition[] {
  const { meter, sessions, dir, env } = deps;
  // By connection: a session on stdio may get its name from a hook, after its first call.
  const recorded = new Map<number, Promise<void>>();
  const record = async (call: ToolCall) => {
    if ((await readMode(env)) === "off") return;
    const caller = { session: sessions.idOf(call), client: call.client.name, tool: "", dir };
    await meter.record(toMeterInput("surface", { caller }, { rawTokens: surfaceTokensOf(surface) }));
  };
  const recordOnce = async (call: ToolCall) => {
    const { sessionId, isStateless } = call;
    if (isStateless) return;
    const done = recorded.get(sessionId) ?? record(call);
    recorded.delete(sessionId);
    recorded.set(sessionId, done);
    const oldest = recorded.keys().next();
    if (recorded.size > MAX_SESSIONS && !oldest.done) recorded.delete(oldest.value);
    await done;
  };
  return surface.tools.map((tool) => ({
    ...tool,
    async run(args, call) {
      const outcome = await tool.run(args, call);
      await recordOnce(call); // afterwards: the first event of a hook names the session
      return outcome;
    },
  }));
}

function surfaceTokensOf({ instructions, tools }: Surface): number {
  const listed = tools.filter(({ listed = true }) => listed);
  if (listed.length === 0 && instructions === "") return 0;
  const shown = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return estimateTokens(`${instructions}\n${JSON.stringify(shown)}`);
}
