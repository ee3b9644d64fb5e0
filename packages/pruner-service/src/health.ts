// K-40: the same payload as a method, as a tool and over GET.
import { VERSION } from "@jeeves/base";

/** The name that this server gives itself over MCP; part of the contract, unlike the name of its program. */
export const SERVER_NAME = "mcp-pruner";

/** The health payload (K-40). It is always "healthy", because the engine is part of the process. */
export function toHealth(now: Date = new Date()) {
  return {
    status: "healthy",
    server: SERVER_NAME,
    version: VERSION,
    capabilities: ["prune_text", "recover_text", "annotations", "markers"],
    timestamp: now.toISOString(),
  } as const;
}
