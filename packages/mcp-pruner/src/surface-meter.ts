// What this server itself costs: its tools and instructions are read on every turn, whether anything is cut or not. One
// line in the meter for each session, with its first call.
import { type Meter, readMode } from "@jeeves/intercept";
import type { ToolCall, ToolDefinition } from "@jeeves/kit/mcp";
import { estimateTokens } from "@jeeves/prune";
import type { Session } from "./session.ts";

interface Surface {
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
}

interface SurfaceMeterDeps {
  readonly meter: Meter;
  readonly session: Session;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
}

export function withSurfaceMeter(
  surface: Surface,
  { meter, session, project, env }: SurfaceMeterDeps,
): readonly ToolDefinition[] {
  let recorded: Promise<void> | undefined;
  const record = async (call: ToolCall) => {
    if ((await readMode(env)) === "off") return;
    await meter.record({
      kind: "surface",
      session: session.id,
      client: call.client.name,
      tool: "",
      project,
      raw_tokens: surfaceTokensOf(surface),
      kept_tokens: surfaceTokensOf(surface),
    });
  };
  return surface.tools.map((tool) => ({
    ...tool,
    async run(args, call) {
      const outcome = await tool.run(args, call);
      // Afterwards: a hook's first event tells the session. Once, and never in the way.
      if (session.id !== "") recorded ??= record(call).catch(() => {});
      await recorded;
      return outcome;
    },
  }));
}

function surfaceTokensOf({ instructions, tools }: Surface): number {
  const listed = tools.filter(({ listed = true }) => listed);
  const shown = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return estimateTokens(`${instructions}\n${JSON.stringify(shown)}`);
}
