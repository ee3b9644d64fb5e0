// What `jeeves serve` needs to host these tools beside other routes.
export { type Config, configSchema } from "./config.ts";
export { type HttpConfig, httpConfigSchema, toToolConfig } from "./http/http-config.ts";
export { createMcpPrunerRoutes } from "./http/http-routes.ts";
