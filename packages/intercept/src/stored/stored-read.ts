// who may read a stored text by its file. Texts of the session's own project are allowed without asking the user;
// those of other projects are refused, and so are those of files that the client's rules forbid now. For every other path
// the user's own permissions hold.
import { join, relative } from "node:path";
import { findStoredFile, hideStoresBelow, homeOf, type RecoveryStore } from "@jeeves/state";
import { compileGlob } from "@jeeves/workspace";
import type { HookAnswer } from "../hook/hook-answer.ts";
import { toAbsolute } from "../hook/session-memory.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { judgeStored, type StoredAccessDeps } from "./stored-access.ts";
import { storedIdsIn } from "./way-back.ts";

/** The session that asks, and the store that is searched. */
export interface StoredReadDeps extends StoredAccessDeps {
  readonly store: RecoveryStore;
  readonly env: NodeJS.ProcessEnv;
}

/** The directories of a store, by the characters that an id may begin with. */
const SHARDS = [..."abcdefghijklmnopqrstuvwxyz234567"];

const REASON = "This is not a stored text of this project. Read one that an answer of this session names instead.";

/** The answer to a client's own Read. */
export async function judgeStoredRead(event: ToolEvent, deps: StoredReadDeps): Promise<HookAnswer | undefined> {
  const path = textOf(event.input.file_path);
  if (path === undefined || path.includes("\0")) return undefined;
  const file = await findStoredFile(asClientReads(path, event.cwd, deps.env), deps.env);
  if (file === undefined) return undefined;
  const reason = file.pruneId === undefined ? REASON : await refusalOf(file.pruneId, deps, REASON);
  if (reason !== undefined) return { kind: "refuse", reason };
  // A link may lead elsewhere by the time that it is read, so it is not allowed here: the client asks as usual.
  return file.isDirect ? { kind: "allow" } : undefined;
}

/** The answer to a client's own search: in the store, or above it. */
export async function judgeStoredSearch(event: ToolEvent, deps: StoredReadDeps): Promise<HookAnswer | undefined> {
  const pattern = event.tool === "Glob" ? (textOf(event.input.pattern)?.trim() ?? "") : "";
  // An absolute pattern is searched from its last directory without a wildcard.
  const fixed = /^[~/]/.test(pattern) ? pattern.replace(/(?:^|\/)[^/]*[*?[{].*$/s, "") || "/" : undefined;
  const path = fixed ?? textOf(event.input.path) ?? event.cwd;
  if (path === undefined || path.includes("\0")) return undefined;
  const place = asClientReads(path, event.cwd, deps.env);
  const file = await findStoredFile(place, deps.env);
  const isInside = file !== undefined || (await findStoredFile(join(place, "-"), deps.env)) !== undefined;
  if (!isInside) return event.tool === "Grep" ? judgeSearchAbove(event, place, deps.env) : undefined;
  const reason = file?.pruneId === undefined ? REASON : await refusalOf(file.pruneId, deps, REASON);
  return reason === undefined ? undefined : { kind: "refuse", reason };
}

/**
 * For a search in a directory that contains a store. The store gets an ignore file, which ripgrep respects, but a glob that
 * matches a directory of the store overrides that. A Glob shows only names, and is allowed.
 */
async function judgeSearchAbove(
  event: ToolEvent,
  place: string,
  env: NodeJS.ProcessEnv,
): Promise<HookAnswer | undefined> {
  const globs = globsOf(textOf(event.input.glob) ?? "");
  for (const { path, isHidden } of await hideStoresBelow(place, env)) {
    if (isHidden && !globs.some((glob) => reaches(glob, path, [place, event.cwd ?? place, "/"]))) continue;
    const way = isHidden
      ? "a narrower path, or a glob for names of files such as *.md"
      : "a path that does not hold it";
    const reason = `This search would read texts of other projects that Jeeves stored in ${path}. Name ${way}.`;
    return { kind: "refuse", reason };
  }
  return undefined;
}

/** Split as Claude Code does; globs that only exclude are left out. */
function globsOf(text: string): string[] {
  const words = text.split(/\s+/).flatMap((word) => (/\{.*\}|\}.*\{/s.test(word) ? [word] : word.split(",")));
  return words.filter((glob) => glob !== "" && !glob.startsWith("!"));
}

/** Whether a glob, which may count from any of the directories, may match a directory of the store. */
function reaches(glob: string, store: string, bases: readonly string[]): boolean {
  const { matches } = compileGlob(glob, { ignoreCase: true, anyDepth: true });
  return bases.some((base) => {
    const names = relative(base, store).split("/");
    return names[0] !== ".." && SHARDS.some((shard) => matches([...names, shard]));
  });
}

/** The answer to a command that names stored files, for a client whose sandbox allows reading every file. */
export async function judgeStoredCommand(command: string, deps: StoredReadDeps): Promise<HookAnswer | undefined> {
  for (const pruneId of storedIdsIn(command)) {
    const reason = await refusalOf(pruneId, deps, undefined);
    if (reason !== undefined) return { kind: "refuse", reason };
  }
  return undefined;
}

/** Why a text may not be read; `missing` where there is no such text. */
async function refusalOf<T>(pruneId: string, deps: StoredReadDeps, missing: T): Promise<string | undefined | T> {
  const stored = await deps.store.get(pruneId);
  if (stored === undefined) return missing;
  const access = await judgeStored({ pruneId, stored }, deps);
  if (access.kind === "own") return undefined;
  return access.kind === "foreign" ? REASON : `This is a stored text. ${access.message}; ${access.hint}.`;
}

/** A path as Claude Code reads it: trimmed, and with `~` as the home directory. */
function asClientReads(path: string, cwd: string | undefined, env: NodeJS.ProcessEnv): string {
  const trimmed = path.trim();
  if (trimmed === "~" || trimmed.startsWith("~/")) return join(homeOf(env), trimmed.slice(1));
  return toAbsolute(trimmed, cwd);
}
