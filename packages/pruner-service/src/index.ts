// What `jeeves serve` needs to host the text pruner beside other routes, and the engine in its threads for whoever cuts
// without storing.
export { type Config, configSchema, DEFAULT_MAX_INPUT_CHARS, DEFAULT_PORT } from "./config.ts";
export type { Cut, CutRequest, Engine } from "./engine.ts";
export { createEnginePool } from "./engine-pool.ts";
export { createPrunerRoutes, maxBodyBytesFor, type PrunerRoutesOptions } from "./routes.ts";
