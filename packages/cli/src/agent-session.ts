// The session whose command this is, and its transcript: clients name the session to the commands that they run, and call
// the transcript after it. Nothing is searched without end.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const MAX_DIRS = 400;

export interface AgentSession {
  readonly id: string;
  readonly transcriptPath?: string;
}

/** `client` is as the launcher was told, or as it found out. */
export async function findAgentSession(client: string, env: NodeJS.ProcessEnv): Promise<AgentSession> {
  const isCodex = client === "codex";
  const id = env.JEEVES_EXEC_SESSION || (isCodex ? env.CODEX_THREAD_ID : env.CLAUDE_CODE_SESSION_ID) || "";
  if (env.JEEVES_EXEC_TRANSCRIPT) return { id, transcriptPath: env.JEEVES_EXEC_TRANSCRIPT };
  if (!/^[\w-]+$/.test(id)) return { id };
  const found = await (isCodex ? findCodexTranscript(id, env) : findClaudeTranscript(id, env));
  return { id, ...(found === undefined ? {} : { transcriptPath: found }) };
}

async function findClaudeTranscript(id: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const projects = join(env.CLAUDE_CONFIG_DIR || join(env.HOME ?? "/", ".claude"), "projects");
  for (const project of await namesIn(projects)) {
    const file = join(projects, project, `${id}.jsonl`);
    if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return undefined;
}

/** `sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`: most are of today, one that was resumed is older. */
async function findCodexTranscript(id: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const sessions = join(env.CODEX_HOME || join(env.HOME ?? "/", ".codex"), "sessions");
  let left = MAX_DIRS;
  for (const year of await newestIn(sessions)) {
    for (const month of await newestIn(join(sessions, year))) {
      for (const day of await newestIn(join(sessions, year, month))) {
        if (left-- === 0) return undefined;
        const dir = join(sessions, year, month, day);
        const name = (await namesIn(dir)).find((each) => each.endsWith(`-${id}.jsonl`));
        if (name !== undefined) return join(dir, name);
      }
    }
  }
  return undefined;
}

function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

async function newestIn(dir: string): Promise<string[]> {
  return (await namesIn(dir))
    .filter((name) => /^\d+$/.test(name))
    .sort()
    .reverse();
}
