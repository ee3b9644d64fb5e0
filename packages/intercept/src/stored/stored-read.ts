// who may read a stored text by its file. A session's own client may, without asking, for texts of its own project;
// those of another project are refused, and those of files that the client's rules forbid now. About every other path
// nothing is said: there the user's own permissions hold.
import { join, relative } from "node:path";
import { findStoredFile, hideStoresBelow, homeOf, type RecoveryStore } from "@jeeves/state";
import { compileGlob } from "@jeeves/workspace";
import type { HookAnswer } from "../hook/hook-answer.ts";
import { toAbsolute } from "../hook/session-memory.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";
import { judgeStored, type StoredAccessDeps } from "./stored-access.ts";
import { storedIdsIn } from "./way-back.ts";

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
  // A link may lead elsewhere by the time that it is read: its name is not allowed, only asked about as usual.
  return file.isDirect ? { kind: "allow" } : undefined;
}

/** The answer to a client's own search: in the store, or above it. */
export async function judgeStoredSearch(event: ToolEvent, deps: StoredReadDeps): Promise<HookAnswer | undefined> {
  const pattern = event.tool === "Glob" ? (textOf(event.input.pattern)?.trim() ?? "") : "";
  // An absolute pattern is searched from its last directory without a wildcard.
  const fixed = /^[~/]/.test(pattern) ? pattern.replace(/(?:^|\/)[^/]*[*?[{].*$/s, "") : undefined;
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
 * Of a search whose directory holds a store. ripgrep leaves out what an ignore file tells it to, and the store gets one;
 * but a glob that matches a directory of the store overrules that. A Glob shows names alone, and is let through.
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

/** As Claude Code takes them apart; those that only leave out are not looked at. */
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

/** The answer to a command that names stored files, in a client whose sandbox lets every file be read. */
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

/** Claude Code takes blanks off a path and knows the home's sign. */
function asClientReads(path: string, cwd: string | undefined, env: NodeJS.ProcessEnv): string {
  const trimmed = path.trim();
  if (trimmed === "~" || trimmed.startsWith("~/")) return join(homeOf(env), trimmed.slice(1));
  return toAbsolute(trimmed, cwd);
}
