// One tool per thing that can happen.
import { writeFileSync } from "node:fs";
import * as z from "zod";
import { defineTool, type Profile, type ToolDefinition } from "../src/mcp/index.ts";

const open = { type: "object" } as const;
const anything = z.object({});

export const tools: ToolDefinition[] = [
  defineTool({
    name: "echo",
    description: "gives back what it got",
    args: z.object({ text: z.string().min(1), times: z.number().int().min(1).max(1_000_000).default(1) }),
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" }, times: { type: "integer" } },
      required: ["text"],
    },
    annotations: { readOnlyHint: true },
    meta: { "example/size": 1 },
    run: async ({ text, times }) => ({
      text: text.repeat(times),
      structured: { tool: "echo", length: text.length * times },
    }),
  }),
  defineTool({
    name: "strict",
    description: "has many ways to be wrong",
    args: z.object({
      env: z.record(z.string().regex(/^[A-Z_]+$/), z.string().max(5)).optional(),
      size: z.number().int().min(2).max(9).optional(),
      mode: z.enum(["a", "b"]).optional(),
      paths: z.array(z.string()).min(1).optional(),
      either: z.union([z.string(), z.object({ deep: z.number() })]).optional(),
      path: z
        .string()
        .refine((path) => !path.includes("\0"))
        .optional(),
    }),
    inputSchema: open,
    run: async (args) => ({ text: JSON.stringify(args) }),
  }),
  defineTool({
    name: "who",
    description: "tells what is known about the client",
    args: anything,
    inputSchema: open,
    run: async (_args, call) => ({
      text: JSON.stringify({ client: call.client, maxResultChars: call.maxResultChars ?? null }),
      more: ["second"],
      structured: { tool: "who" },
    }),
  }),
  defineTool({
    name: "fail",
    description: "a tool error",
    args: anything,
    inputSchema: open,
    run: async () => ({ text: "it went wrong", isError: true, structured: { tool: "fail" } }),
  }),
  defineTool({
    name: "throw",
    description: "a bug",
    args: anything,
    inputSchema: open,
    run: async () => {
      throw new Error("a secret detail");
    },
  }),
  defineTool({
    name: "cycle",
    description: "a result that JSON cannot say",
    args: anything,
    inputSchema: open,
    run: async () => {
      const structured: Record<string, unknown> = {};
      structured.self = structured;
      return { text: "", structured };
    },
  }),
  defineTool({
    name: "illegal",
    description: "takes a step that the table does not know",
    args: anything,
    inputSchema: open,
    run: async (_args, call) => {
      call.advance("req:responded");
      return { text: "never" };
    },
  }),
  defineTool({
    name: "prune",
    description: "walks the states of a pruned answer",
    args: z.object({ works: z.boolean() }),
    inputSchema: open,
    run: async ({ works }, call) => {
      call.advance("req:raw_output_ready");
      call.advance("req:prune_check");
      call.advance("req:calling_pruner");
      if (!works) call.advance("req:pruner_error_fallback");
      return { text: "pruned", mode: works ? "pruned" : "raw" };
    },
  }),
  defineTool({
    name: "wait",
    description: "waits for the time given, or for the abort; says which in a file",
    args: z.object({
      ms: z.number(),
      note: z.string().optional(),
      stubborn: z.boolean().default(false),
      /** Ends with its abort as with an error, as a child process that was killed does. */
      throws: z.boolean().default(false),
    }),
    inputSchema: open,
    run: async ({ ms, note, stubborn, throws }, call) => {
      call.events.emit("info", "fixture.waiting");
      call.progress({ progress: 1, total: 2, message: "waiting" });
      const how = await new Promise<string>((resolve) => {
        const timer = setTimeout(() => resolve("waited"), ms);
        if (stubborn) return;
        call.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve("aborted");
        });
      });
      if (note !== undefined) writeFileSync(note, how);
      if (throws) call.signal.throwIfAborted();
      return { text: how };
    },
  }),
  defineTool({
    name: "stray",
    description: "leaves errors that nobody catches",
    args: anything,
    inputSchema: open,
    listed: false,
    run: async () => {
      void Promise.reject(new Error("rejected astray"));
      setTimeout(() => {
        throw new Error("thrown astray");
      }, 1);
      return { text: "done" };
    },
  }),
  defineTool({
    name: "session",
    description: "tells which session a call belongs to",
    args: anything,
    inputSchema: open,
    listed: false,
    run: async (_args, { sessionId, isStateless }) => ({ text: JSON.stringify({ sessionId, isStateless }) }),
  }),
  defineTool({
    name: "hidden",
    description: "answered, not listed",
    args: anything,
    inputSchema: open,
    listed: false,
    run: async () => ({ text: "found me" }),
  }),
  defineTool({
    name: "refuse",
    description: "answers with a JSON-RPC error of its own",
    args: anything,
    inputSchema: open,
    listed: false,
    run: async () => ({ refusal: { code: -32004, message: "not_there", data: { code: "not_there" } } }),
  }),
];

export const profile: Profile = {
  name: "@jeeves/fixture",
  version: "1.2.3",
  instructions: "be brief",
  tools,
  unknownTool: "invalid_params",
  methods: { health: () => ({ status: "healthy" }) },
};
