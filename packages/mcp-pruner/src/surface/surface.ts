// What a model reads of this server before it calls anything: product text, paid for on every turn (X-22: at most
// 750 tokens in all). The most important words come first, because clients defer tools and search them by name.
import type { ToolDefinition } from "@jeeves/kit/mcp";

const LEFT_OUT = "⟦… 35 lines 120-154⟧ stands for lines left out, and recover_text brings them back exactly.";

/** The instructions of the server where it offers a tool that takes a question. */
export const INSTRUCTIONS =
  "On anything long, pass context_focus_question: a full question about what you want to know. You get the lines that " +
  `answer it; ${LEFT_OUT}`;

/** Where the client's own tools are cut by hooks and nothing of ours takes a question. */
export const RECOVERY_INSTRUCTIONS = LEFT_OUT;

// No bounds here: a model does not ask for zero lines, and each pair of them would be paid for on every turn.
// Out-of-range values are rejected by the zod schema.
const integer = { type: "integer" };
const focus = { type: "string", description: "What you want to know" };
const string = { type: "string" };
const boolean = { type: "boolean" };

type Surface = Pick<ToolDefinition, "name" | "description" | "inputSchema" | "annotations">;

export const readSurface: Surface = {
  name: "read",
  description: "Read file: its text, or with context_focus_question only the lines of a long file that matter.",
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: "object",
    properties: {
      file_path: string,
      context_focus_question: focus,
      start_line: integer,
      end_line: integer,
      encoding: { const: "utf-8" },
      max_output_bytes: integer,
    },
    required: ["file_path"],
  },
};

export const bashSurface: Surface = {
  name: "bash",
  description:
    "Run command in bash (tests, builds, git). With context_focus_question long output is cut; errors and failing tests stay.",
  annotations: { readOnlyHint: false },
  inputSchema: {
    type: "object",
    properties: {
      command: string,
      context_focus_question: focus,
      cwd: string,
      env: { type: "object", additionalProperties: string },
      timeout_ms: { type: "integer", maximum: 300_000, default: 30_000 },
      max_output_bytes: integer,
    },
    required: ["command"],
  },
};

export const grepSurface: Surface = {
  name: "grep",
  description: "Search code with ripgrep. With context_focus_question many matches are cut to those that matter.",
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "Regex" },
      context_focus_question: focus,
      path: string,
      paths: { type: "array", items: string, description: "Instead of path" },
      cwd: string,
      fixed_string: boolean,
      case_sensitive: { type: "boolean", default: true },
      context_lines: { type: "integer", maximum: 20 },
      timeout_ms: integer,
      max_matches: { type: "integer", default: 500 },
      max_output_bytes: integer,
    },
    required: ["pattern"],
  },
};

export const recoverSurface: Surface = {
  name: "recover_text",
  description: "Recover lines an earlier answer left out, byte for byte; without ranges, all.",
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: "object",
    properties: {
      prune_id: string,
      ranges: {
        type: "array",
        items: {
          type: "object",
          properties: { start_line: integer, end_line: integer },
          required: ["start_line", "end_line"],
        },
      },
      chars: { type: "string", description: "4-12 of ⟦… 9 chars 4-12⟧" },
      include_line_numbers: boolean,
    },
    required: ["prune_id"],
  },
};
