// What `jeeves serve` needs to host the text pruner beside other routes.
export { configSchema } from "./config.ts";
export { createPrunerRoutes, maxBodyBytesFor } from "./routes.ts";
