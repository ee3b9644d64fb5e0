// MCP as routes of an HTTP server.
export { createMcpRoute } from "./transports/mcp-route.ts";
export { createRpcRoute } from "./transports/rpc-route.ts";
