// What `jeeves serve` needs to host the text pruner beside other routes.
export { type Config, configSchema, DEFAULT_MAX_INPUT_CHARS, DEFAULT_PORT } from "./config.ts";
export { createPrunerRoutes, maxBodyBytesFor, type PrunerRoutesOptions } from "./routes.ts";
