// The contract of a recovery store. Three implement it (disk, memory, PostgreSQL), and one suite tests all of them.
import { isSharedName, projectNamesOf } from "../project/project-names.ts";

/** Where a text came from. */
export interface TextSource {
  readonly tool?: string;
  readonly path?: string;
  readonly label?: string;
  /** The directory that `path`, or the paths of a match list, count from. */
  readonly dir?: string;
}

/** A text to store. Text, focus and options decide its id. */
export interface PutRequest {
  readonly text: string;
  readonly focus: string;
  readonly options: unknown;
  /** Lifetime in seconds; default: the store's own, 14 days. */
  readonly ttlS?: number;
  readonly source?: TextSource;
  /** The directory of the project that the text was cut for; the same text cut for another one belongs to both. */
  readonly project?: string;
  /** JSON, kept beside the text for people and the viewer: the blocks, why lines were kept. */
  readonly cut?: unknown;
}

/** Where a text is stored. */
export interface Stored {
  readonly pruneId: string;
  /** The plain file that holds the raw text, when there is one: a client's own file read is a way back too. */
  readonly path?: string;
}

/** A text from the store, and what is known about it. */
export interface StoredText {
  readonly text: string;
  readonly storedAt: string;
  readonly source?: TextSource;
  /**
   * Directories of this machine, and names that projects have on all machines. Empty for a text that was cut for no
   * project, or by a version that did not record it.
   */
  readonly projects: readonly string[];
  readonly cut?: unknown;
}

/** The text pruner's entries: a text that came in there without a project can be read there by any user. */
const OPEN_DOORS = new Set(["prune_text", "/prune"]);

/**
 * True for a text that any user of this machine may have put, outside of all sessions: it is the first to make room
 * (X-55).
 */
export function isFromOpenDoor({ projects = [], source }: Partial<Pick<StoredText, "projects" | "source">>): boolean {
  return projects.length === 0 && OPEN_DOORS.has(source?.tool ?? "");
}

/**
 * True where a session in `project` may read the text: it was cut there, for the same project on another machine, or in a
 * directory that is part of the project, or came in by a door that is open to all.
 */
export async function belongsTo(
  stored: Pick<StoredText, "projects" | "source">,
  project: string,
  isPartOf: (dir: string, project: string) => Promise<boolean>,
): Promise<boolean> {
  const { projects } = stored;
  if (projects.length === 0) return isFromOpenDoor(stored);
  if (projects.includes(project)) return true;
  const shared = projects.filter(isSharedName);
  if (shared.length > 0) {
    const own = await projectNamesOf(project);
    if (shared.some((name) => own.includes(name))) return true;
  }
  const below = project.endsWith("/") ? project : `${project}/`;
  for (const dir of projects) if (dir.startsWith(below) && (await isPartOf(dir, project))) return true;
  return false;
}

/** The projects with one more, unless it is among them. */
export function withProject(projects: readonly string[], project: string | undefined): readonly string[] {
  if (project === undefined || projects.includes(project)) return projects;
  return [...projects, project].slice(-MAX_PROJECTS);
}

/** More checkouts than any project has; beyond it the oldest are dropped. */
const MAX_PROJECTS = 1_000;

/** Keeps texts so that a cut can be undone: what was put comes back exactly. */
export interface RecoveryStore {
  /**
   * Resolves when the text is stored; rejects with a StateError `store_unavailable` where it cannot be. The same request
   * again gives the same id and moves nothing but the expiry.
   */
  put(request: PutRequest): Promise<Stored>;
  /**
   * Exactly the text that was put, or undefined: gone, expired, damaged, or no id at all. Rejects with a
   * StateError `store_unavailable` where the store does not answer.
   */
  get(pruneId: string): Promise<StoredText | undefined>;
  /** Adds the record of a cut to a text that has none yet; nothing where the text is gone. Never rejects. */
  describe?(pruneId: string, cut: unknown): Promise<void>;
}

/** 14 days. */
export const DEFAULT_TTL_S = 1_209_600;
/** 1 GiB. */
export const DEFAULT_MAX_BYTES = 1_073_741_824;

const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** When a text expires, in milliseconds since 1970; at the latest at the end of the year 9999. */
export function expiryOf(nowMs: number, ttlS: number): number {
  return Math.min(LATEST_MS, nowMs + Math.max(0, ttlS) * 1000);
}
