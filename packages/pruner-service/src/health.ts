// K-40: the same payload as a method, as a tool and over GET.
import manifest from "../package.json" with { type: "json" };

export const SERVER_NAME = "mcp-pruner";
export const { version } = manifest;

export function toHealth(now: Date = new Date()) {
  return {
    status: "healthy",
    server: SERVER_NAME,
    version,
    capabilities: ["prune_text", "recover_text", "annotations", "markers"],
    timestamp: now.toISOString(),
  } as const;
}
