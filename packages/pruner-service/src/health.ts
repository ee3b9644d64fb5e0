// K-40: the same payload as a method, as a tool and over GET.

/** The name that this server gives itself over MCP; part of the contract, unlike the name of its program. */
export const SERVER_NAME = "mcp-pruner";

/** The version of the contract, which is not that of this installation; `initialize` names the latter. */
const CONTRACT_VERSION = "0.1.0";

/** The health payload (K-40). It is always "healthy", because the engine is part of the process. */
export function toHealth(now: Date = new Date()) {
  return {
    status: "healthy",
    server: SERVER_NAME,
    version: CONTRACT_VERSION,
    capabilities: ["prune_text", "recover_text", "annotations", "markers"],
    timestamp: now.toISOString(),
  } as const;
}
