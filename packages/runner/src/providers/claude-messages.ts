// Messages of the Claude Agent SDK → provider events. They are parsed, not trusted: the SDK is whatever version is
// installed, and kinds that are not known here are left out.
import { z } from "zod";
import { sizesOf } from "../log/tool-sizes.ts";
import { type ProviderEvent, type RunHooks, toMcpToolName, type Usage } from "../provider.ts";
import { textOf } from "./text-parts.ts";

const tokens = z.int().nonnegative().catch(0);
const usageSchema = z.object({
  input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  output_tokens: tokens,
});

const block = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({ type: z.string() }).transform(() => undefined),
]);
const resultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).optional(),
  is_error: z.boolean().nullish(),
});

const messageSchema = z.union([
  z.object({
    type: z.literal("system"),
    subtype: z.literal("init"),
    session_id: z.string().optional(),
    model: z.string().optional(),
    mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).default([]),
  }),
  z.object({
    type: z.literal("system"),
    subtype: z.literal("api_retry"),
    attempt: z.number(),
    max_retries: z.number(),
    error_status: z.number().nullish().catch(undefined),
    error: z.string().optional().catch(undefined),
  }),
  z.object({
    type: z.literal("assistant"),
    message: z.object({ id: z.string(), content: z.array(block), usage: usageSchema.nullish().catch(undefined) }),
  }),
  z.object({
    type: z.literal("user"),
    message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }),
    tool_use_result: z.unknown(),
  }),
  z.object({
    type: z.literal("result"),
    subtype: z.string(),
    is_error: z.boolean().optional(),
    result: z.string().optional(),
    errors: z.array(z.string()).optional(),
    usage: usageSchema.nullish().catch(undefined),
    total_cost_usd: z.number().nonnegative().optional(),
  }),
]);

interface ClaudeLine {
  readonly events: readonly ProviderEvent[];
  /** Set by the last message. */
  readonly end?: Extract<ProviderEvent, { kind: "ended" }>;
  readonly text?: string;
}

/** `hooks`: what has cut results of the agent's own tools, with the sizes before and after. */
export function createClaudeReader(hooks?: Pick<RunHooks, "sizesOf">): { read(message: unknown): ClaudeLine } {
  const nameOf = new Map<string, string>();
  const usageOf = new Map<string, Usage>();

  return {
    read(message) {
      const parsed = messageSchema.safeParse(message);
      if (!parsed.success) return { events: [] };
      const said = parsed.data;
      switch (said.type) {
        case "system":
          return { events: said.subtype === "init" ? toStart(said) : [toRetry(said)] };
        case "assistant": {
          const events = said.message.content.flatMap((each) => toEvents(each, nameOf));
          const text = events.findLast((event) => event.kind === "message")?.text;
          const { usage } = said.message;
          if (usage != null) {
            usageOf.set(said.message.id, toUsage(usage)); // one answer may come in several messages
            events.push({ kind: "usage", usage: sum([...usageOf.values()]) });
          }
          return { events, ...(text === undefined ? {} : { text }) };
        }
        case "user": {
          const content = typeof said.message.content === "string" ? [] : said.message.content;
          return { events: content.flatMap((each) => toResult(each, { whole: said.tool_use_result, nameOf, hooks })) };
        }
        case "result":
          return toEnd(said);
      }
    },
  };
}

/** While Claude Code retries a request, for minutes at times, it sends nothing but this. */
function toRetry(said: Extract<z.infer<typeof messageSchema>, { subtype: "api_retry" }>): ProviderEvent {
  const why = [said.error_status, said.error].filter(Boolean).join(" ") || "no connection";
  const message = `the model gave no answer (${why}): retry ${said.attempt} of ${said.max_retries}`;
  return { kind: "notice", code: "agent_warning", message };
}

function toStart(init: Extract<z.infer<typeof messageSchema>, { subtype: "init" }>): readonly ProviderEvent[] {
  const { session_id, model, mcp_servers } = init;
  return [
    {
      kind: "started",
      ...(session_id === undefined ? {} : { sessionId: session_id }),
      ...(model === undefined ? {} : { model }),
    },
    // A server that is "pending" may still come.
    ...mcp_servers.flatMap(({ name, status }): ProviderEvent[] =>
      status === "connected" || status === "failed" ? [{ kind: "server", name, status }] : [],
    ),
  ];
}

function toEvents(said: z.infer<typeof block>, nameOf: Map<string, string>): ProviderEvent[] {
  if (said === undefined) return [];
  switch (said.type) {
    case "text":
      return [{ kind: "message", text: said.text }];
    case "thinking":
      return [{ kind: "reasoning", text: said.thinking }];
    case "tool_use": {
      const tool = toToolName(said.name);
      nameOf.set(said.id, tool);
      return [{ kind: "tool_call", id: said.id, tool, input: said.input }];
    }
  }
}

function toToolName(name: string): string {
  const found = /^mcp__(.+?)__(.+)$/s.exec(name);
  return found?.[1] === undefined || found[2] === undefined ? name : toMcpToolName(found[1], found[2]);
}

interface ResultContext {
  readonly whole: unknown;
  readonly nameOf: ReadonlyMap<string, string>;
  readonly hooks: Pick<RunHooks, "sizesOf"> | undefined;
}

function toResult(part: unknown, { whole, nameOf, hooks }: ResultContext): ProviderEvent[] {
  const parsed = resultBlock.safeParse(part);
  if (!parsed.success) return [];
  const { tool_use_id: id, content = "", is_error } = parsed.data;
  const tool = nameOf.get(id);
  if (tool === undefined) return []; // the result of a call that we have not seen
  const sizes = hooks?.sizesOf(id) ?? sizesOf(whole);
  return [
    {
      kind: "tool_result",
      id,
      tool,
      isError: is_error === true,
      text: typeof content === "string" ? content : textOf(content),
      ...(sizes === undefined ? {} : { sizes }),
    },
  ];
}

function toEnd(said: Extract<z.infer<typeof messageSchema>, { type: "result" }>): ClaudeLine {
  const text = said.subtype === "success" ? (said.result ?? "") : "";
  const isCompleted = said.subtype === "success" && said.is_error !== true;
  const status = isCompleted ? "completed" : said.subtype === "error_max_turns" ? "max_turns" : "failed";
  const why = said.errors?.join("; ") || (said.subtype === "success" ? said.result : undefined) || said.subtype;
  const costUsd = said.total_cost_usd;
  return {
    events: [
      ...(said.usage == null
        ? []
        : [
            {
              kind: "usage" as const,
              usage: toUsage(said.usage),
              ...(costUsd === undefined ? {} : { costUsd }),
            },
          ]),
      { kind: "turn_ended" },
    ],
    end: { kind: "ended", status, text: isCompleted ? text : "", ...(isCompleted ? {} : { message: why }) },
  };
}

function toUsage(usage: z.infer<typeof usageSchema>): Usage {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
  return {
    inputTokens: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
    cachedInputTokens: cache_read_input_tokens,
    outputTokens: output_tokens,
  };
}

function sum(usages: readonly Usage[]): Usage {
  return usages.reduce((total, each) => ({
    inputTokens: total.inputTokens + each.inputTokens,
    cachedInputTokens: total.cachedInputTokens + each.cachedInputTokens,
    outputTokens: total.outputTokens + each.outputTokens,
  }));
}
