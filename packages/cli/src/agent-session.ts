// The session that a command belongs to, and its transcript: clients put the session's id into the environment of the
// commands that they run, and name the transcript file after it. The search for the file is bounded.
import { CLIENTS, type ClientTraits, clientHomeOf, clientOf } from "@jeeves/base";
import { filesLike } from "./files-like.ts";

const MAX_DIRS = 400;

interface AgentSession {
  readonly id: string;
  readonly transcriptPath?: string;
}

/** `client` is as the launcher was given it, or as it found out. */
export async function findAgentSession(client: string, env: NodeJS.ProcessEnv): Promise<AgentSession> {
  const traits = clientOf(client) ?? clientInUse(env);
  const id = env.JEEVES_EXEC_SESSION || (traits && sessionIn(env, traits)) || "";
  if (env.JEEVES_EXEC_TRANSCRIPT) return { id, transcriptPath: env.JEEVES_EXEC_TRANSCRIPT };
  const home = traits && clientHomeOf(traits, env);
  const { transcripts } = traits ?? {};
  if (!/^[\w-]+$/.test(id) || home === undefined || transcripts === undefined) return { id };
  for await (const { path, stats } of filesLike(home, transcripts.replace("ID", id), { dirsLeft: MAX_DIRS }))
    if (stats.isFile()) return { id, transcriptPath: path };
  return { id };
}

/** The client that names a session in this environment. */
export function clientInUse(env: NodeJS.ProcessEnv): ClientTraits | undefined {
  return CLIENTS.find((client) => Boolean(sessionIn(env, client)));
}

/** The session that this client names to its commands; undefined where it names none. */
export function sessionIn(env: NodeJS.ProcessEnv, { sessionVariable }: ClientTraits): string | undefined {
  return sessionVariable === undefined ? undefined : env[sessionVariable];
}
