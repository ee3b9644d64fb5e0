// K-40: the same payload as a method, as a tool and over GET.
import { VERSION } from "@jeeves/base";

export const SERVER_NAME = "mcp-pruner";

export function toHealth(now: Date = new Date()) {
  return {
    status: "healthy",
    server: SERVER_NAME,
    version: VERSION,
    capabilities: ["prune_text", "recover_text", "annotations", "markers"],
    timestamp: now.toISOString(),
  } as const;
}
