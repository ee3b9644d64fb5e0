// What a recovery store promises. Three keep it (disk, memory, PostgreSQL), and one suite holds all of them to it.
import { isSharedName, projectNamesOf } from "../project/project-names.ts";

/** The call that a text came from. */
export interface TextSource {
  readonly tool?: string;
  readonly path?: string;
  readonly label?: string;
  /** The directory that `path`, or the paths of a match list, count from. */
  readonly dir?: string;
}

/** A text to keep, and the cut that was made of it. */
export interface PutRequest {
  readonly text: string;
  readonly focus: string;
  readonly options: unknown;
  readonly ttlS?: number;
  readonly source?: TextSource;
  /** The directory of the project that the text was cut for; the same text cut for another one belongs to both. */
  readonly project?: string;
  /** JSON, kept beside the text for people and the viewer: the blocks, why lines were kept. */
  readonly cut?: unknown;
}

/** Where a text was put. */
export interface Stored {
  readonly pruneId: string;
  /** The plain file that holds the raw text, when there is one: a client's own file read is a way back too. */
  readonly path?: string;
}

/** A text that was kept, and where it came from. */
export interface StoredText {
  readonly text: string;
  readonly storedAt: string;
  readonly source?: TextSource;
  /**
   * Directories of this machine, and names that projects have on all machines. Empty for a text that was cut for no
   * project, or by a version that did not tell.
   */
  readonly projects: readonly string[];
  readonly cut?: unknown;
}

/** The text pruner's doors: what came in there, for no project, anybody on this machine can ask for there. */
const OPEN_DOORS = new Set(["prune_text", "/prune"]);

/** True for a text that no session has cut: any user of this machine may have put it, so it makes room first. */
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

/** With one more project, where there is one that it does not have yet. */
export function withProject(projects: readonly string[], project: string | undefined): readonly string[] {
  if (project === undefined || projects.includes(project)) return projects;
  return [...projects, project].slice(-MAX_PROJECTS);
}

/** More checkouts of one project than anybody has; beyond it the oldest go. */
const MAX_PROJECTS = 1_000;

/** Keeps the texts that cuts were made from. */
export interface RecoveryStore {
  /** Returns when the text is safe. The same request again gives the same id and moves nothing but the expiry. */
  put(request: PutRequest): Promise<Stored>;
  /**
   * Exactly the text that was put, or undefined: gone, expired, damaged, or no id at all. Throws a StateError
   * `store_unavailable` where the store does not answer.
   */
  get(pruneId: string): Promise<StoredText | undefined>;
  /** Adds the record of a cut to a text that has none yet. Never rejects; a text that is gone is left gone. */
  describe?(pruneId: string, cut: unknown): Promise<void>;
}

export const DEFAULT_TTL_S = 1_209_600; // 14 days
export const DEFAULT_MAX_BYTES = 1_073_741_824; // 1 GiB

const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

export function expiryOf(nowMs: number, ttlS: number): number {
  return Math.min(LATEST_MS, nowMs + Math.max(0, ttlS) * 1000);
}
