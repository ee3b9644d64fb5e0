// The session that a command belongs to, and its transcript: clients name the session to the commands that they run, and
// the transcript after it. The search for it is bounded.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CLIENTS, type ClientTraits, clientHomeOf, clientOf } from "@jeeves/base";

const MAX_DIRS = 400;

export interface AgentSession {
  readonly id: string;
  readonly transcriptPath?: string;
}

/** `client` is as the launcher was told, or as it found out. */
export async function findAgentSession(client: string, env: NodeJS.ProcessEnv): Promise<AgentSession> {
  const traits = clientOf(client) ?? clientInUse(env);
  const id = env.JEEVES_EXEC_SESSION || (traits && sessionIn(env, traits)) || "";
  if (env.JEEVES_EXEC_TRANSCRIPT) return { id, transcriptPath: env.JEEVES_EXEC_TRANSCRIPT };
  const home = traits && clientHomeOf(traits, env);
  const { transcripts } = traits ?? {};
  if (!/^[\w-]+$/.test(id) || home === undefined || transcripts === undefined) return { id };
  const found = await findFile(home, transcripts.replace("ID", id).split("/"), { dirsLeft: MAX_DIRS });
  return { id, ...(found === undefined ? {} : { transcriptPath: found }) };
}

/** The client that names a session in this environment. */
export function clientInUse(env: NodeJS.ProcessEnv): ClientTraits | undefined {
  return CLIENTS.find((client) => Boolean(sessionIn(env, client)));
}

/** The session that this client names to its commands; undefined where it names none. */
export function sessionIn(env: NodeJS.ProcessEnv, { sessionVariable }: ClientTraits): string | undefined {
  return sessionVariable === undefined ? undefined : env[sessionVariable];
}

/** The first file below `dir` that fits; of several directories the last in their order first: with dates, the newest. */
async function findFile(
  dir: string,
  [name = "", ...below]: readonly string[],
  bound: { dirsLeft: number },
): Promise<string | undefined> {
  for (const found of await namesLike(name, dir, bound)) {
    const path = join(dir, found);
    if (below.length > 0) {
      const file = await findFile(path, below, bound);
      if (file !== undefined) return file;
    } else if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

async function namesLike(name: string, dir: string, bound: { dirsLeft: number }): Promise<readonly string[]> {
  const [prefix = "", suffix] = name.split("*");
  if (suffix === undefined) return [name];
  if (bound.dirsLeft-- <= 0) return [];
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((each) => each.startsWith(prefix) && each.endsWith(suffix))
    .sort()
    .reverse();
}
