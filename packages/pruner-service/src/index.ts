// What `jeeves serve` needs to host the text pruner beside other routes, and the engine in its threads for whoever cuts
// without storing.
export { configSchema } from "./config.ts";
export type { Cut, Engine } from "./engine.ts";
export { createEnginePool } from "./engine-pool.ts";
export { createPrunerRoutes, maxBodyBytesFor } from "./routes.ts";
