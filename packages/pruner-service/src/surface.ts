// What tools/list shows: the schemas are a contract (K-13 … K-15), the descriptions are ours.
import type { ToolDefinition } from "@jeeves/kit/mcp";

type Surface = Pick<ToolDefinition, "name" | "description" | "inputSchema">;

const string = { type: "string" } as const;
const boolean = { type: "boolean" } as const;
const line = { type: "integer", minimum: 1 } as const;

/** `prune_text` as tools/list shows it (K-14). */
export const pruneSurface: Surface = {
  name: "prune_text",
  description:
    "Keep the lines of a text (code, logs or docs) that matter for goal_hint. Lines are left out, never rewritten; each block left out is annotated, and recover_text brings it back.",
  inputSchema: {
    type: "object",
    properties: {
      text: string,
      goal_hint: string,
      source_type: { type: "string", enum: ["code", "logs", "docs"] },
      options: {
        type: "object",
        properties: {
          max_prune_ratio: { type: "number", minimum: 0, maximum: 1 },
          min_keep_lines: { type: "integer", minimum: 0 },
          timeout_ms: { type: "integer", minimum: 1 },
          annotate_lines: boolean,
          include_markers: boolean,
        },
        required: ["max_prune_ratio", "min_keep_lines", "timeout_ms", "annotate_lines", "include_markers"],
        additionalProperties: false,
      },
    },
    required: ["text", "goal_hint", "source_type", "options"],
    additionalProperties: false,
  },
};

/** `recover_text` as tools/list shows it (K-15); lines below 1 are refused by the tool, with -32005. */
export const recoverSurface: Surface = {
  name: "recover_text",
  description: "Bring back lines of a text that prune_text has cut, exactly, by their original line numbers.",
  inputSchema: {
    type: "object",
    properties: {
      prune_id: string,
      ranges: {
        type: "array",
        items: {
          type: "object",
          properties: { start_line: line, end_line: line },
          required: ["start_line", "end_line"],
          additionalProperties: false,
        },
      },
      include_line_numbers: boolean,
    },
    required: ["prune_id", "ranges", "include_line_numbers"],
    additionalProperties: false,
  },
};

/** `health` as tools/list shows it. */
export const healthSurface: Surface = {
  name: "health",
  description: "Whether the pruner is up, and what it can do.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
};
