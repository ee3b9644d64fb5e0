// What `jeeves prune` and `jeeves recover` give to the cutter: a cut that the user orders, for the current directory.
import { CLIENTS } from "@jeeves/base";
import { type Caller, type CutRequest, orderPolicy } from "@jeeves/cut";
import type { SourceKind } from "@jeeves/prune";
import { findProject } from "@jeeves/workspace/project";
import { clientInUse, sessionIn } from "./agent-session.ts";

const CLIENT = "jeeves";

/** A cut that a user orders on the command line. */
export interface CutByHand {
  readonly focus: string;
  readonly path?: string;
  readonly kind?: SourceKind;
  /** The share of the text to keep; default: as much as the engine finds useful. */
  readonly keep?: number;
  readonly lineNumbers?: boolean;
}

/** The request for a cut of `text`, which is stored even if it stays whole: `jeeves recover` knows it by its id. */
export async function toCutRequest(
  text: string,
  { focus, path, kind, keep, lineNumbers = false }: CutByHand,
  env: NodeJS.ProcessEnv,
): Promise<CutRequest> {
  const dir = ownDir();
  return {
    text,
    focus,
    policy: orderPolicy,
    caller: callerOf("prune", env),
    args: undefined,
    what: path ?? "-",
    amount: keep === undefined ? { mode: "auto" } : { mode: "share", keep, isLeast: true },
    ...(path === undefined ? {} : { path }),
    ...(kind === undefined ? {} : { kind }),
    form: { lineNumbers },
    source: { tool: "cli", ...(path === undefined ? {} : { path }), ...(dir === undefined ? {} : { dir }) },
    ...(dir === undefined ? {} : { project: await findProject(dir) }),
    stores: "always",
    idOptions: () => ({ tool: "prune", path: path ?? null, kind: kind ?? null, keep: keep ?? null }),
    // A person can interrupt it at any time.
    signal: new AbortController().signal,
  };
}

/**
 * Who typed the command: an agent, where its client names the session or itself to the commands that it runs, or where it
 * belongs to a `jeeves run`; otherwise a person, whose calls are never an agent's saving or loss.
 */
export function callerOf(tool: string, env: NodeJS.ProcessEnv): Caller {
  const agent = clientInUse(env);
  const session = (agent && sessionIn(env, agent)) ?? "";
  const isInShell = CLIENTS.some(({ shellVariable = "" }) => Boolean(env[shellVariable]));
  const isAgent = session !== "" || isInShell || Boolean(env.JEEVES_RUN_ID);
  const dir = ownDir() ?? env.PWD ?? "";
  return { session, client: CLIENT, tool, dir, ...(isAgent ? {} : { by: "person" }) };
}

/** The working directory; undefined where it has been deleted. */
function ownDir(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
