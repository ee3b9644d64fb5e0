// Where an agent's things are on its machine (R-30, RU-17): its mission, its settings, its log, its socket and its
// worktree. Computes paths only; the task's id must have been parsed.
import { join } from "node:path";
import { layoutOf } from "../haven/layout.ts";

/** The paths and the branch of one agent. */
export interface AgentLayout {
  readonly dir: string;
  readonly lock: string;
  readonly mission: string;
  readonly mcpConfig: string;
  readonly srtSettings: string;
  readonly runLog: string;
  readonly result: string;
  /**
   * For the agent itself: beside its worktree the one place of the haven that the sandbox lets it write to. Not below
   * `dir`, which the sandbox shows read-only: that would cover it.
   */
  readonly logDir: string;
  /** to and from the haven, where sockets are refused. Not where the agent could put a link in their place. */
  readonly pipeIn: string;
  readonly pipeOut: string;
  /** callers on this socket are this agent. */
  readonly socket: string;
  readonly worktree: string;
  readonly branch: string;
}

/** The layout of the agent of a task; no file is looked at. */
export function agentLayoutOf(haven: string, taskId: string): AgentLayout {
  const dir = join(layoutOf(haven).agents, taskId);
  return {
    dir,
    lock: join(dir, ".lock"),
    mission: join(dir, "mission.yaml"),
    mcpConfig: join(dir, "mcp-config.json"),
    srtSettings: join(dir, "srt-settings.json"),
    runLog: join(dir, "run.log"),
    result: join(dir, "result.yaml"),
    logDir: join(haven, "logs", taskId),
    pipeIn: join(dir, "to-haven"),
    pipeOut: join(dir, "from-haven"),
    socket: join(dir, "mcp.sock"),
    worktree: join(haven, "worktrees", taskId),
    branch: `task/${taskId}`,
  };
}
