// Everything that the text pruner answers over HTTP: /rpc, /prune, /health.
import { createCutter, createEnginePool, createMeter, withMaxChars } from "@jeeves/cut";
import type { Events } from "@jeeves/kit/events";
import { type HttpRoute, jsonAnswer } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createRpcRoute } from "@jeeves/kit/mcp/http";
import type { RecoveryStore } from "@jeeves/state";
import { toHealth } from "./health.ts";
import { createProfile } from "./profile.ts";
import { createPruneRoute } from "./prune-route.ts";

interface PrunerRoutesOptions {
  readonly maxInputChars: number;
  readonly store: RecoveryStore;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The routes /rpc, /prune and /health of one text pruner, which share an engine, a store and a meter. Texts of more than
 * `maxInputChars` characters come back whole.
 */
export function createPrunerRoutes({ maxInputChars, store, events, env }: PrunerRoutesOptions): readonly HttpRoute[] {
  const meter = createMeter(env);
  const engine = withMaxChars(createEnginePool(), maxInputChars);
  const cutter = createCutter({ engine, store, meter, env });
  const rpc = createDispatcher(createProfile({ cutter, store, meter }), { events, env });
  return [
    // The answers do not wait for their lines in the meter; the end of the server does.
    { ...createRpcRoute(rpc, { path: "/rpc" }), close: () => cutter.idle() },
    createPruneRoute({ cutter, events, env }),
    {
      path: "/health",
      methods: ["GET"],
      access: "open",
      // swe-pruner's clients wait for model_loaded; our engine is always there.
      handle: async () => jsonAnswer(200, { ...toHealth(), model_loaded: true }),
    },
  ];
}

/**
 * The body limit, in bytes, that fits a text of `maxInputChars` characters with every character escaped; at least 32 MiB.
 * Longer bodies are answered with 413.
 */
export function maxBodyBytesFor(maxInputChars: number): number {
  return Math.max(32 * 1024 * 1024, 8 * maxInputChars);
}
