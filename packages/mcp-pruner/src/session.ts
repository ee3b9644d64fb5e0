// The session that a call belongs to: Claude Code names its own to the servers that it starts, Codex tells it with
// every hook, and otherwise one process on stdio is one session. Over HTTP nobody can be told apart: there is none.
import { randomUUID } from "node:crypto";

export interface Session {
  /** "" where there is none: nothing is remembered of it, and nothing stops. */
  readonly id: string;
  /** What a hook said about the session. */
  learn(id: string | undefined): void;
}

export function createStdioSession(env: NodeJS.ProcessEnv): Session {
  let id = env.CLAUDE_CODE_SESSION_ID || "";
  const own = `mcp-${randomUUID()}`;
  return {
    get id() {
      return id || own;
    },
    learn(said) {
      id ||= said ?? "";
    },
  };
}

export const NO_SESSION: Session = { id: "", learn: () => {} };
