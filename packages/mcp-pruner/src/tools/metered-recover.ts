// recover_text with a line in the meter, because every recovery is a sign that a cut was not enough. It counts for
// the session that was shown the cut: Codex' commands are cut in another process than this one.
import type { Meter } from "@jeeves/intercept";
import type { ToolCall, ToolDefinition } from "@jeeves/kit/mcp";
import { estimateTokens } from "@jeeves/prune";
import type { Session } from "../session.ts";

export function withMeter(
  tool: ToolDefinition,
  { meter, session, project }: { readonly meter: Meter; readonly session: Session; readonly project: string },
): ToolDefinition {
  return {
    ...tool,
    async run(args, call: ToolCall) {
      const started = performance.now();
      const outcome = await tool.run(args, call);
      if ("refusal" in outcome || outcome.isError === true) return outcome;
      // Neither of the meter's methods rejects.
      const tokens = estimateTokens(outcome.text);
      const pruneId = outcome.structured?.prune_id;
      const id = typeof pruneId === "string" ? pruneId : "";
      await meter.record({
        kind: "recovered",
        session: (await meter.sessionOf(id, session.id)) ?? session.id,
        client: call.client.name,
        tool: tool.name,
        project,
        raw_tokens: tokens,
        kept_tokens: tokens,
        prune_id: id,
        what: linesOf(outcome.structured?.ranges),
        ms: Math.round(performance.now() - started),
      });
      return outcome;
    },
  };
}

/** `lines 12-40, 60-64`: which ones came back, for people and the viewer. */
function linesOf(ranges: unknown): string {
  const each = Array.isArray(ranges) ? ranges.map((range) => `${range?.start_line}-${range?.end_line}`) : [];
  return `lines ${each.join(", ")}`;
}
