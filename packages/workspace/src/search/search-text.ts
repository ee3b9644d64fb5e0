// Search inside the root with the best installed engine. Read-only (J-52); bounded in time,
// matches and bytes; the same tree gives the same matches in the same order.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { resolveCwd } from "../command/run-command.ts";
import { createPathGuard, type GuardOptions, type PathGuard } from "../opened-file.ts";
import { type Root, resolveMaybeMissing, toRelative } from "../root.ts";
import { toDeniedError, toDeniedSearchError } from "../rules/read-rules.ts";
import { invalidPath, WorkspaceError } from "../workspace-error.ts";
import { ENGINE_ORDER, type EngineName, findEngine } from "./engines.ts";
import type { Match } from "./match.ts";
import { runEngine } from "./run-engine.ts";
import { createLineVerifier } from "./verify-lines.ts";

/** What to search for and where, and the limits. */
export interface SearchTextOptions extends GuardOptions {
  readonly pattern: string;
  /** Relative to the root. Where empty, `cwd` is searched. */
  readonly paths: readonly string[];
  readonly cwd?: string;
  readonly fixedString: boolean;
  readonly caseSensitive: boolean;
  readonly contextLines?: number;
  readonly timeoutMs: number;
  readonly maxMatches: number;
  /** UTF-8 bytes of all `matches[].text` together. */
  readonly maxBytes: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Tried in order; the first that starts does the search. */
  readonly engines?: readonly EngineName[];
}

/** What a search found, and whether a limit cut it off. */
export interface SearchOutcome {
  readonly matches: readonly Match[];
  /** Without the lines that are only context. */
  readonly matchCount: number;
  readonly truncated: boolean;
  /** Matches that were left out because their files no longer had them when they were checked. */
  readonly unverified: number;
  readonly durationMs: number;
  readonly engine: EngineName;
}

/** Searches text inside a root; only files that may be read are in the outcome. */
export async function searchText(root: Root, options: SearchTextOptions): Promise<SearchOutcome> {
  const startedMs = performance.now();
  const verdict = options.rules?.verdictOnSearch?.(options.pattern);
  if (verdict !== undefined) throw toDeniedSearchError(verdict);
  const guard = createPathGuard(root, options);
  const cwd = await resolveCwd(root, options.cwd ?? ".", "invalid_path");
  const asked = options.paths.length > 0 ? options.paths : [toRelative(root, cwd)];
  const places = await Promise.all(asked.map((path) => toPlace(root, path, guard)));
  const env = options.env ?? process.env;
  options.signal?.throwIfAborted();

  for (const engine of options.engines ?? ENGINE_ORDER) {
    const program = await findEngine(engine, env);
    if (program === undefined) continue;
    const verifier = createLineVerifier(root, guard);
    const isDenied = (path: string) => guard.verdictOn(resolve(root.path, path)) !== undefined;
    const found = await runEngine({
      ...options,
      verifier,
      contextLines: options.contextLines ?? 0,
      engine,
      program,
      env,
      cwd: root.path,
      paths: [...new Set(places.map((place) => place.argument))],
      isHidden: (path) => isDenied(path) || places.some((place) => isDenied(place.toReal(path))),
    }).finally(verifier.close);
    if (found !== undefined) return { ...found, engine, durationMs: Math.round(performance.now() - startedMs) };
  }
  throw new WorkspaceError("spawn_error", "no search program could be started", { hint: "install ripgrep or grep" });
}

interface Place {
  readonly argument: string;
  /** The real name, without symlinks, of a path that the engine found under this argument. */
  toReal(found: string): string;
}

async function toPlace(root: Root, path: string, guard: PathGuard): Promise<Place> {
  const resolved = await resolveMaybeMissing(root, path).catch((error: unknown) => {
    if (!(error instanceof WorkspaceError) || error.code === "invalid_path") throw error;
    throw new WorkspaceError("invalid_path", error.message, { hint: error.hint, cause: error }); // the only code in J-44
  });
  const named = toRelative(root, resolved.lexical);
  // `./` keeps a file called "-" from meaning stdin, and one called "--x" from looking like an option.
  const argument = named === "." ? "." : `./${named}`;
  if (!("real" in resolved)) return { argument, toReal: (found) => found }; // missing: the engine's own error
  const real = toRelative(root, resolved.real);
  const verdict = guard.verdictOn(resolved.lexical) ?? guard.verdictOn(resolved.real);
  if (verdict !== undefined) throw toDeniedError(path, verdict);
  const stats = await stat(resolved.real);
  if (!stats.isFile() && !stats.isDirectory()) throw invalidPath(path, "is neither a file nor a directory"); // a FIFO would block the engine
  return { argument, toReal: (found) => toRealName(found, { named, real }) };
}

function toRealName(found: string, { named, real }: { readonly named: string; readonly real: string }): string {
  if (named === real) return found;
  if (found === named) return real;
  if (!found.startsWith(`${named}/`)) return found;
  const below = found.slice(named.length + 1);
  return real === "." ? below : `${real}/${below}`;
}
