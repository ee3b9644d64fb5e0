// MCP for servers. The routes for HTTP are an entry of their own (http.ts), so that a bundler leaves HTTP out of stdio
// servers.
export { readOwnerTokens } from "../http/access/owner-tokens.ts";
export { endProcess } from "../process/end-process.ts";
export { type StopWatch, watchForStop } from "../process/stop.ts";
export { catchStrayErrors } from "../process/stray-errors.ts";
export { REQUEST_STATES, type RequestState } from "./call/request-states.ts";
export {
  defineTool,
  type JsonSchema,
  type Profile,
  type Progress,
  type ToolAnnotations,
  type ToolCall,
  type ToolDefinition,
  type ToolOutcome,
  type ToolRefusal,
} from "./call/tool.ts";
export {
  type ClientIdentity,
  knownClientOf,
  maxResultCharsOf,
  type ResultForm,
  resultFormOf,
} from "./client.ts";
export { createDispatcher, type Dispatcher, type DispatchOptions } from "./dispatch.ts";
export type { RpcFailure } from "./json-rpc.ts";
export type { Reply } from "./reply.ts";
export { createSession, type Session } from "./session.ts";
export {
  type Connection,
  type ProfileFor,
  type SocketOptions,
  type SocketServer,
  serveSocket,
  serveTcp,
} from "./transports/serve-socket.ts";
export { type StdioEnd, type StdioOptions, serveStdio } from "./transports/stdio.ts";
