// Which revisions of MCP we speak, and which one a client gets. The list is the SDK's own, pinned by a test: importing
// it at run time would cost half of the start-up (README, "Why the SDK is not on the hot path").

export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;
export const LATEST_PROTOCOL_VERSION = PROTOCOL_VERSIONS[0];

/** The version asked for where we speak it, else our latest: the client then decides whether to stay. */
export function negotiateProtocolVersion(asked: string): string {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? LATEST_PROTOCOL_VERSION;
}
