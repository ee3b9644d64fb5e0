// Which session a call belongs to. On stdio a process is one session: the one that its client names in the
// environment or in its hooks, else one of its own. Over HTTP each MCP session is one; a stateless call belongs to none.
import { randomUUID } from "node:crypto";
import { CLIENTS } from "@jeeves/base";
import type { ToolCall } from "@jeeves/kit/mcp";

/** The sessions of one server. */
export interface Sessions {
  /** Unique across processes and restarts; "" for a call without a session, about which nothing is remembered. */
  idOf(call: Pick<ToolCall, "sessionId" | "isStateless">): string;
  /** Whether several clients share the server: then each counts for itself. */
  readonly isShared: boolean;
  /** Uses a hook's session id from now on, unless the session has a name already. */
  learn(id: string | undefined): void;
}

/** The one session of a server on stdio. */
export function createStdioSession(env: NodeJS.ProcessEnv): Sessions {
  const named = CLIENTS.map(({ sessionVariable = "" }) => env[sessionVariable]);
  let id = named.find((name) => name) ?? "";
  const own = `mcp-${randomUUID()}`;
  return {
    isShared: false,
    idOf: () => id || own,
    learn(name) {
      id ||= name ?? "";
    },
  };
}

/** The sessions of a server that several clients share. */
export function createHttpSessions(): Sessions {
  const run = randomUUID();
  return {
    isShared: true,
    idOf: ({ sessionId, isStateless }) => (isStateless ? "" : `mcp-${run}-${sessionId}`),
    // A hook's name would be that of one client only.
    learn: () => {},
  };
}
