// MCP as routes of an HTTP server.
export { createMcpRoute } from "./mcp-route.ts";
export { createRpcRoute } from "./rpc-route.ts";
