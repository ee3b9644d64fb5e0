// What a server is made of, as values: tools, the profile that names them, and what a tool gets and gives back.
// Nothing here speaks MCP; respond.ts turns an outcome into a tool result.
import type * as z from "zod";
import type { Events } from "../../events/index.ts";
import type { ClientIdentity } from "../client.ts";
import type { RpcFailure } from "../json-rpc.ts";
import type { RequestState } from "./request-states.ts";

/** What a tool gives back, before it is put into the form that the client shows. */
export interface ToolOutcome {
  /** What the model reads. */
  readonly text: string;
  /** Further items of content, after the text. */
  readonly more?: readonly string[];
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  /** Default: raw. */
  readonly mode?: "raw" | "pruned";
}

/** Answered as a JSON-RPC error with the tool's own code, for contracts that say so (K-37, K-38). */
export interface ToolRefusal {
  readonly refusal: RpcFailure;
}

/** How far a call has come. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a tool knows of the call that it serves. */
export interface ToolCall {
  readonly requestId: string;
  /** The connection or the HTTP session that it came in on; what comes alone is a session of its own. */
  readonly sessionId: number;
  /** No later call can be of the same session, so that nothing is worth remembering of it. */
  readonly isStateless: boolean;
  /** Aborted when the client cancels or the server stops. */
  readonly signal: AbortSignal;
  /** What the call carries as `_meta`; nothing in it has been checked. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly client: ClientIdentity;
  /** Whether the caller has proven to be the user who started the server. */
  isOwner(): Promise<boolean>;
  readonly events: Events;
  readonly maxResultChars: number | undefined;
  /** The same for a result with `isError`: Claude Code cuts the middle out of those at 10,000 characters. */
  readonly maxErrorChars: number | undefined;
  advance(state: RequestState): void;
  /** Sent only to a client that asked for it. */
  progress(progress: Progress): void;
}

/** A JSON Schema of an object, as `tools/list` shows it. */
export interface JsonSchema {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** MCP's hints about a tool. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool: what `tools/list` shows of it, the schema of its arguments, and its work. */
export interface ToolDefinition<A = never> {
  readonly name: string;
  readonly description: string;
  /** The only judge of the arguments. */
  readonly args: z.ZodType<A>;
  /** What the client is shown: hand-tuned, because every word of it is paid for on every turn. */
  readonly inputSchema: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** false: answered, but not named by tools/list. */
  readonly listed?: boolean;
  /** false: never kept waiting for other calls to end, because its own time limit runs from the request. */
  readonly waitsItsTurn?: boolean;
  run(args: A, call: ToolCall): Promise<ToolOutcome | ToolRefusal>;
}

/** Checks a tool's types against each other, then forgets them, so that a profile can hold tools of all kinds. */
export function defineTool<A>(tool: ToolDefinition<A>): ToolDefinition {
  // Sound because dispatch gives run only what the same tool's args have parsed.
  return tool as unknown as ToolDefinition;
}

/** One server: its name, its words, its tools and its dialect of errors. */
export interface Profile {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly ToolDefinition[];
  /** */
  readonly unknownTool: "invalid_params" | "error_result";
  /** Default: invalid_params. */
  readonly badArguments?: "invalid_params" | "error_result";
  /** Further methods and their results (K-11, K-12, X-40). A throw is an internal error. */
  readonly methods?: Readonly<Record<string, (params: unknown) => unknown>>;
  /** Further notifications; they are never answered. */
  readonly notifications?: Readonly<Record<string, (params: unknown) => void>>;
}
