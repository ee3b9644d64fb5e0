// recover_text with a line in the meter, because every recovery is a sign that a cut was not enough.
import { createMeter } from "@jeeves/intercept";
import type { ToolCall, ToolDefinition } from "@jeeves/kit/mcp";
import { estimateTokens } from "@jeeves/prune";

export function withMeter(
  tool: ToolDefinition,
  { env, project }: { readonly env: NodeJS.ProcessEnv; readonly project: string },
): ToolDefinition {
  const meter = createMeter(env);
  return {
    ...tool,
    async run(args, call: ToolCall) {
      const outcome = await tool.run(args, call);
      if ("refusal" in outcome || outcome.isError === true) return outcome;
      const tokens = estimateTokens(outcome.text);
      const pruneId = outcome.structured?.prune_id;
      await meter.record({
        kind: "recovered",
        // Claude Code names its session to the servers that it starts; other clients' recoveries belong to none.
        session: env.CLAUDE_CODE_SESSION_ID ?? "",
        client: call.client.name,
        tool: tool.name,
        project,
        raw_tokens: tokens,
        kept_tokens: tokens,
        ...(typeof pruneId === "string" ? { prune_id: pruneId } : {}),
      });
      return outcome;
    },
  };
}
