// The only place where a tool result is made: an outcome in the form that this client shows to its model.
// The type is the SDK's, so that the compiler checks it against the protocol.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ResultForm } from "../client.ts";
import type { ToolOutcome } from "./tool.ts";

/** `structured` goes into `structuredContent` with the form `both`, else into `_meta`, which clients do not show. */
export function toCallToolResult(outcome: ToolOutcome, form: ResultForm): CallToolResult {
  const content = [outcome.text, ...(outcome.more ?? [])].map((text) => ({ type: "text" as const, text }));
  return {
    content,
    ...(outcome.structured === undefined
      ? {}
      : form === "both"
        ? { structuredContent: outcome.structured }
        : { _meta: { "jeeves/result": outcome.structured } }),
    ...(outcome.isError === true ? { isError: true } : {}),
  };
}
