// The only maker of a tool result: an outcome, in the form that this client shows to its model.
import type { ResultForm } from "./client.ts";
import type { ToolOutcome } from "./tool.ts";

export interface CallToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export function toCallToolResult(outcome: ToolOutcome, form: ResultForm): CallToolResult {
  const content = [outcome.text, ...(outcome.more ?? [])].map((text) => ({ type: "text" as const, text }));
  return {
    content,
    ...(outcome.structured === undefined
      ? {}
      : form === "both"
        ? { structuredContent: outcome.structured }
        : { _meta: { "jeeves/result": outcome.structured } }),
    ...(outcome.isError === true ? { isError: true as const } : {}),
  };
}
