// Everything that the text pruner answers over HTTP: /rpc, /prune, /health.
import type { Events } from "@jeeves/kit/events";
import { type HttpRoute, jsonAnswer } from "@jeeves/kit/http";
import { createDispatcher } from "@jeeves/kit/mcp";
import { createRpcRoute } from "@jeeves/kit/mcp/http";
import type { RecoveryStore } from "@jeeves/state";
import { withMaxChars } from "./engine.ts";
import { createEnginePool } from "./engine-pool.ts";
import { toHealth } from "./health.ts";
import { createProfile } from "./profile.ts";
import { createPruneRoute } from "./prune-route.ts";

interface PrunerRoutesOptions {
  readonly maxInputChars: number;
  readonly store: RecoveryStore;
  readonly events: Events;
  readonly env: NodeJS.ProcessEnv;
}

export function createPrunerRoutes(options: PrunerRoutesOptions): readonly HttpRoute[] {
  const { store, events, env } = options;
  const deps = { engine: withMaxChars(createEnginePool(), options.maxInputChars), store };
  return [
    createRpcRoute(createDispatcher(createProfile(deps), { events, env }), { path: "/rpc" }),
    createPruneRoute({ ...deps, events }),
    {
      path: "/health",
      methods: ["GET"],
      access: "open",
      // swe-pruner's clients wait for model_loaded; our engine is always there.
      handle: async () => jsonAnswer(200, { ...toHealth(), model_loaded: true }),
    },
  ];
}

/** Room for a text of the longest kind, every character of it escaped, and then some: only beyond that is it 413. */
export function maxBodyBytesFor(maxInputChars: number): number {
  return Math.max(32 * 1024 * 1024, 8 * maxInputChars);
}
