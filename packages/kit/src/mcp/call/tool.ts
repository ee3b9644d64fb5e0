// The parts of a server as values: tools, the profile that lists them, and what a tool gets and returns. They are
// independent of MCP; respond.ts turns an outcome into a tool result.
import type * as z from "zod";
import type { Events } from "../../events/index.ts";
import type { ClientIdentity } from "../client.ts";
import type { RpcFailure } from "../json-rpc.ts";
import type { RequestState } from "./request-states.ts";

/** What a tool returns, before it is brought into the form that the client shows. */
export interface ToolOutcome {
  /** The text for the model. */
  readonly text: string;
  /** Further items of content, after the text. */
  readonly more?: readonly string[];
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  /** Default: raw. */
  readonly mode?: "raw" | "pruned";
}

/** Sent as a JSON-RPC error with the tool's own code, where a contract requires that (K-37, K-38). */
export interface ToolRefusal {
  readonly refusal: RpcFailure;
}

/** The progress of a call, as MCP reports it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One call, as passed to a tool. */
export interface ToolCall {
  readonly requestId: string;
  /** The id of the connection or HTTP session; a request without one has a session of its own. */
  readonly sessionId: number;
  /** No later call can have the same session, so nothing need be remembered for it. */
  readonly isStateless: boolean;
  /** Aborted when the client cancels or the server stops. */
  readonly signal: AbortSignal;
  /** The call's `_meta`, unchecked. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly client: ClientIdentity;
  /** Whether the caller has proven to be the user who started the server. */
  isOwner(): Promise<boolean>;
  readonly events: Events;
  readonly maxResultChars: number | undefined;
  /** The same for a result with `isError`: Claude Code cuts the middle out of those at 10,000 characters. */
  readonly maxErrorChars: number | undefined;
  advance(state: RequestState): void;
  /** Ignored where the client has not requested progress. */
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
  /** The schema that validates the arguments. */
  readonly args: z.ZodType<A>;
  /** The schema that clients are shown; written by hand and short, because it costs tokens on every turn. */
  readonly inputSchema: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** With false the tool can be called, but is not in tools/list. */
  readonly listed?: boolean;
  /** With false a call never waits for others to end: for tools whose time limit runs from the request on. */
  readonly waitsItsTurn?: boolean;
  run(args: A, call: ToolCall): Promise<ToolOutcome | ToolRefusal>;
}

/** Checks a tool's types against each other, then erases them, so that a profile can have tools of all kinds. */
export function defineTool<A>(tool: ToolDefinition<A>): ToolDefinition {
  // Sound because dispatch gives run only what the same tool's args have parsed.
  return tool as unknown as ToolDefinition;
}

/** One server: its name, its texts, its tools and the form of its errors. */
export interface Profile {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly ToolDefinition[];
  /** How a call of an unknown tool is answered. */
  readonly unknownTool: "invalid_params" | "error_result";
  /** Default: invalid_params. */
  readonly badArguments?: "invalid_params" | "error_result";
  /** Further methods and their results (K-11, K-12, X-40). A throw is an internal error. */
  readonly methods?: Readonly<Record<string, (params: unknown) => unknown>>;
  /** Further notifications; they are never answered. */
  readonly notifications?: Readonly<Record<string, (params: unknown) => void>>;
}
