// who may read a stored text: sessions of its project, and the session that was shown the cut, as long as the
// client's rules allow the file that it came from. A match list is judged by every path in it. The output of a command comes
// from no known file: there the project alone decides.
import { clientOf } from "@jeeves/base";
import { type Meter, parseMatchLines, type StoredAccess } from "@jeeves/cut";
import { belongsTo, homeOf, type StoredText } from "@jeeves/state";
import type { ReadRules } from "@jeeves/workspace";
import { isPartOfProject } from "@jeeves/workspace/project";

/** The session that asks for a stored text. */
export interface StoredAccessDeps {
  readonly project: string;
  /** The directory of the session: the server's root. */
  readonly root: string;
  /** "" where it is not known. */
  readonly session: string;
  readonly meter: Pick<Meter, "sessionOf">;
  /** The client's rules about reading, as they are now. */
  rules(): Promise<ReadRules>;
}

const SEARCHES = new Set(["grep", "Grep"]);

/** Decides whether a session may read a stored text. */
export async function judgeStored(
  { pruneId, stored }: { readonly pruneId: string; readonly stored: StoredText },
  deps: StoredAccessDeps,
): Promise<StoredAccess> {
  const { project, root, session, meter } = deps;
  const isOwn =
    (await belongsTo(stored, project, isPartOfProject)) ||
    // For example a command in a submodule: cut for another project, but shown to this session.
    (session !== "" && (await meter.sessionOf(pruneId, session)) === session);
  if (!isOwn) return { kind: "foreign" };
  const paths = pathsOf(stored);
  if (paths.length === 0) return { kind: "own" };
  const dir = stored.source?.dir;
  const bases = [...(dir === undefined ? [] : [dir]), root, project];
  // Imported only here, because jeeves-exec, which starts with every command, never needs it.
  const { refusalOfPaths } = await import("@jeeves/workspace");
  const refusal = await refusalOfPaths(await deps.rules(), { paths, bases });
  return refusal === undefined ? { kind: "own" } : { kind: "denied", message: refusal.message, hint: refusal.hint };
}

/** What the settings of a client forbid to read for a session in `root`. */
export async function clientRulesIn(
  root: string,
  { client, env }: { readonly client: string; readonly env: NodeJS.ProcessEnv },
): Promise<ReadRules> {
  const { createClientRules, openRoot } = await import("@jeeves/workspace");
  const rules = createClientRules(await openRoot(root), { env, home: homeOf(env) });
  return rules.current(clientOf(client)?.id, () => {});
}

/** The files that a stored text shows lines of, as far as they are known. */
function pathsOf({ text, source = {} }: StoredText): string[] {
  const own = typeof source.path === "string" ? [source.path] : [];
  if (!SEARCHES.has(source.tool ?? "")) return own;
  const named = parseMatchLines(text)?.entries.flatMap((entry) => (entry.kind === "match" ? [entry.path] : [])) ?? [];
  return [...own, ...new Set(named.filter((path) => path !== ""))];
}
