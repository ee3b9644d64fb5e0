// A cut and a way back on the command line, in the same meter as those of tools and hooks. An agent may have typed them:
// Claude Code names its session to its commands, and a recovery counts for the session that was shown the cut.
import { createMeter } from "@jeeves/intercept";
import { estimateTokens } from "@jeeves/prune";

const CLIENT = "jeeves";

export interface CutByHand {
  readonly raw: string;
  readonly kept: string;
  readonly pruneId: string;
  readonly focus: string;
  readonly what: string;
  readonly ms: number;
}

export function recordCut(env: NodeJS.ProcessEnv, { raw, kept, pruneId, focus, what, ms }: CutByHand): Promise<void> {
  return createMeter(env).record({
    kind: "cut",
    session: env.CLAUDE_CODE_SESSION_ID ?? "",
    client: CLIENT,
    tool: "prune",
    project: currentProject(),
    raw_tokens: estimateTokens(raw),
    kept_tokens: estimateTokens(kept),
    prune_id: pruneId,
    what,
    focus,
    ms,
  });
}

/** The working directory may have been deleted, which is no reason to fail after the answer. */
function currentProject(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "";
  }
}

export interface RecoveryByHand {
  readonly pruneId: string;
  readonly text: string;
  /** `lines 12-40`: which ones. */
  readonly what: string;
}

export async function recordRecovery(env: NodeJS.ProcessEnv, { pruneId, text, what }: RecoveryByHand): Promise<void> {
  const meter = createMeter(env);
  const own = env.CLAUDE_CODE_SESSION_ID ?? "";
  const tokens = estimateTokens(text);
  await meter.record({
    kind: "recovered",
    session: (await meter.sessionOf(pruneId, own)) ?? own,
    client: CLIENT,
    tool: "recover",
    project: currentProject(),
    raw_tokens: tokens,
    kept_tokens: tokens,
    prune_id: pruneId,
    what,
  });
}
