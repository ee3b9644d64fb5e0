// The methods that need no proof of ownership: they list what the server has, and run nothing.
import { toFrame } from "../json-rpc.ts";

const OPEN_METHODS: ReadonlySet<string> = new Set(["initialize", "ping", "tools/list", "server/discover"]);

/** A parsed message: one of the methods above, or a notification of MCP's own. */
export function isOpenMessage(value: unknown): boolean {
  const frame = toFrame(value);
  if (frame.kind === "notification") return frame.method.startsWith("notifications/");
  return frame.kind === "request" && OPEN_METHODS.has(frame.method);
}
