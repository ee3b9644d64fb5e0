// The only maker of a tool result: an outcome, in the form that this client shows to its model.
// The type is the SDK's, so that the compiler holds us to the protocol at no cost at run time.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ResultForm } from "../client.ts";
import type { ToolOutcome } from "./tool.ts";

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
