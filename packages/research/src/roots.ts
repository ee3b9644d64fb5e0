// The roots that may be searched, and how references into them are written. A root is judged with its symlinks
// resolved; system directories are never one.
import { realpathSync, statSync } from "node:fs";
import { basename, resolve, sep } from "node:path";

export interface ResearchRoot {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  /** Last segment, with ~2 on a clash. */
  readonly label: string;
}

const SYSTEM = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib64",
  "/proc",
  "/root/.ssh",
  "/run",
  "/sbin",
  "/sys",
  "/usr",
  "/var/lib",
  "/var/log",
  "/var/run",
  "/private/etc",
  "/System",
  "/Library",
  "C:\\Windows",
];

/** The absolute path with links resolved; undefined: it does not exist, is no directory, or belongs to the system. */
export function resolveRoot(dir: string): string | undefined {
  try {
    const path = realpathSync(resolve(dir));
    if (!statSync(path).isDirectory() || isSystemPath(path)) return undefined;
    return path;
  } catch {
    return undefined;
  }
}

/** Whether a path is the root of a file system, or in a directory of the operating system. Reads no links. */
export function isSystemPath(path: string): boolean {
  return path === "/" || /^[A-Za-z]:\\?$/.test(path) || SYSTEM.some((dir) => isInside(dir, path));
}

/** Labels by the last segment of each path, in order: of two equal ones the second gets `~2`. */
export function labelRoots(paths: readonly string[]): ResearchRoot[] {
  const used = new Map<string, number>();
  return paths.map((path) => {
    const name = basename(path).replace(/[:\s]/g, "_") || "root";
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return { path, label: count === 1 ? name : `${name}~${count}` };
  });
}

/** The roots of one question. */
export interface ChosenRoots {
  readonly roots: readonly ResearchRoot[];
  /** As asked for, and not allowed. */
  readonly refused: readonly string[];
}

/** Roots inside another are searched with it, not twice. */
export function chooseRoots(allowed: readonly string[], asked: readonly string[] | undefined): ChosenRoots {
  const refused: string[] = [];
  const paths: string[] = [];
  const labels = labelRoots(allowed);
  for (const each of asked ?? allowed) {
    const labelled = labels.find(({ label }) => label === each)?.path;
    const path = resolveRoot(labelled ?? each);
    if (path !== undefined && allowed.some((root) => isInside(root, path))) paths.push(path);
    else if (asked !== undefined) refused.push(each);
  }
  const unique = [...new Set(paths)];
  const outer = unique.filter((path) => !unique.some((other) => other !== path && isInside(other, path)));
  return { roots: labelRoots(outer), refused };
}

/** Whether a path is the root or below it, by their names alone: both absolute and normalised. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** With several roots a reference starts with its root's label. */
export function toReference(
  at: { readonly root: ResearchRoot; readonly path: string; readonly line?: number },
  roots: readonly ResearchRoot[],
): string {
  const path = roots.length > 1 ? `${at.root.label}/${at.path}` : at.path;
  return at.line === undefined ? path : `${path}:${at.line}`;
}

/** A place in a root. The file may not exist. */
interface ParsedReference {
  readonly root: ResearchRoot;
  readonly path: string;
  readonly line: number | undefined;
}

/** undefined: the reference has a label that no root has, or a NUL. A column is ignored. */
export function parseReference(reference: string, roots: readonly ResearchRoot[]): ParsedReference | undefined {
  const m = /^(.+?)(?::(\d+))?(?::\d+)?$/.exec(reference.trim());
  const path = m?.[1];
  if (path === undefined || path.includes("\0")) return undefined;
  const line = m?.[2] === undefined ? undefined : Number(m[2]);
  if (roots.length === 1) return roots[0] === undefined ? undefined : { root: roots[0], path, line };
  const [label = "", ...rest] = path.split("/");
  const root = roots.find((each) => each.label === label);
  return root === undefined ? undefined : { root, path: rest.join("/"), line };
}
