// Globs over paths: `*`, `?`, `[…]` and `{a,b}` inside a segment are picomatch's, `**` spans segments. A glob holds for
// what it names and for everything below. Braces are also read literally, as Claude Code and Codex do. A glob that
// cannot be compiled holds for everything under its literal prefix: refusing too much is the safe side.
/// <reference path="./picomatch.d.ts" />
import picomatch from "picomatch";

/** A compiled glob, matched against the names of a path. */
export interface Glob {
  /** The segments of a path, from the directory that the glob counts from. */
  matches(segments: readonly string[]): boolean;
  /** Why the glob could not be compiled; it then matches everything under its literal prefix. */
  readonly fault?: string;
}

/** How a glob is matched; clients differ in this. */
export interface GlobOptions {
  readonly ignoreCase: boolean;
  /** A glob of one segment holds at any depth, as in .gitignore. */
  readonly anyDepth: boolean;
  /** Extended globs and a leading `!` are faults; default: plain characters, as in .gitignore. */
  readonly refusesExtended?: boolean;
}

/** Every further `*` or `{` multiplies the matching time for a hostile name: with three it stays below about 20 ms. */
const MAX_WILDCARDS = 3;
const MAX_GLOB_CHARS = 4096;
/** `!(a)`, `@(a|b)` and an exception: read as plain characters they would match next to nothing. */
const EXTENDED = /^!|(?<!\\)[?*+@!]\([^/]*\)/;

type Segment = "**" | ((name: string) => boolean);

/** Compiles a glob that counts from some directory; leading, trailing and doubled slashes carry no meaning here. */
export function compileGlob(glob: string, options: GlobOptions): Glob {
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".");
  try {
    if (glob.length > MAX_GLOB_CHARS) throw new Error(`longer than ${MAX_GLOB_CHARS} characters`);
    const extended = options.refusesExtended === true ? EXTENDED.exec(glob)?.[0] : undefined;
    if (extended !== undefined) throw new Error(`holds "${extended}"; write {a,b} for one of several`);
    if (parts.includes("..")) throw new Error('holds ".."');
    const segments = parts.map((part) => (/^\*{2,}$/.test(part) ? "**" : compileSegment(part, options)));
    const isAnywhere = options.anyDepth && parts.length === 1;
    const all: Segment[] = isAnywhere ? ["**", ...segments] : segments;
    return { matches: (path) => matchesPrefix(all, path) };
  } catch (error) {
    const prefix = literalPrefix(parts, options);
    const fold = (name: string) => (options.ignoreCase ? name.toLowerCase() : name);
    return {
      matches: (path) => prefix.every((part, index) => fold(part) === fold(path[index] ?? "")),
      fault: error instanceof Error ? error.message : String(error),
    };
  }
}

function compileSegment(part: string, options: GlobOptions): (name: string) => boolean {
  const wildcards = part.match(/\*+|\{/g)?.length ?? 0;
  if (wildcards > MAX_WILDCARDS) throw new Error(`more than ${MAX_WILDCARDS} wildcards in "${part.slice(0, 100)}"`);
  const expressions = readingsOf(part).map((reading) => toExpression(reading, options));
  return (name) => expressions.some((expression) => expression.test(name));
}

/** The readings of a segment: with braces there are two, and a name that matches either is matched. */
function readingsOf(part: string): string[] {
  if (!/[{}]/.test(part)) return [part];
  const literal = part.replace(/\\.|[{}]/gsu, (found) => (found.length > 1 ? found : `\\${found}`));
  // picomatch takes braces around one word literally.
  let expanded = part;
  for (let before = ""; before !== expanded; ) {
    before = expanded;
    expanded = expanded.replace(/(?<!\\)\{((?:(?!\.\.)[^{},\\])*)\}/gu, "$1");
  }
  return expanded === "" ? [literal] : [expanded, literal];
}

function toExpression(part: string, { ignoreCase }: GlobOptions): RegExp {
  const { source } = picomatch.makeRe(withoutRegExp(part.normalize("NFC")), {
    dot: true,
    // Without it a glob whose expression is not valid would silently match nothing.
    debug: true,
    noextglob: true,
    noglobstar: true,
    nonegate: true,
    posix: true,
    strictBrackets: true,
  });
  // `u`: one `?` is one character, also where UTF-16 needs two units.
  return new RegExp(withoutIdleEscapes(source), ignoreCase ? "iu" : "u");
}

/** picomatch escapes characters that need none (`;`, a hyphen outside of a class), which `u` does not allow. */
function withoutIdleEscapes(source: string): string {
  let isClass = false;
  return source.replace(/\\(.)|[[\]]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) isClass = found === "[";
    else if (!(isClass ? /[\w^$\\.*+?()[\]{}|/-]/ : /[\w^$\\.*+?()[\]{}|/]/).test(escaped)) return escaped;
    return found;
  });
}

/** picomatch passes parts of regular expressions through; in a glob they are plain characters. */
function withoutRegExp(part: string): string {
  let isClass = false;
  return part.replace(/\\(.)|[[\]()|+^$]/gsu, (found, escaped: string | undefined) => {
    // `[\!a]` must not become the opposite of `a`.
    if (escaped === "!" && isClass) return found;
    // `\#` is no escape that an expression knows.
    if (escaped !== undefined) return /[\\^$.*+?()[\]{}|/-]/.test(escaped) ? found : escaped;
    if (found === "[" || found === "]") {
      isClass = found === "[";
      return found;
    }
    return isClass ? found : `\\${found}`;
  });
}

/** True where all segments match some beginning of the path: linear in both, however many `**` there are. */
function matchesPrefix(segments: readonly Segment[], path: readonly string[]): boolean {
  let states = withEmptyStars(segments, new Set([0]));
  for (const name of path) {
    const next = new Set<number>();
    for (const state of states) {
      const segment = segments[state];
      if (segment === "**") next.add(state);
      else if (segment?.(name.normalize("NFC"))) next.add(state + 1);
    }
    states = withEmptyStars(segments, next);
    if (states.has(segments.length)) return true;
    if (states.size === 0) return false;
  }
  return false;
}

/** `**` may stand for no segment at all. */
function withEmptyStars(segments: readonly Segment[], states: Set<number>): Set<number> {
  for (const state of states) if (segments[state] === "**") states.add(state + 1);
  return states;
}

/** The segments before the first that could be a pattern; none for a glob that holds at any depth. */
function literalPrefix(parts: readonly string[], { anyDepth }: GlobOptions): readonly string[] {
  if (anyDepth && parts.length === 1) return [];
  const end = parts.findIndex((part) => part === ".." || /[*?[\]{}()\\!+@|]/.test(part));
  return end < 0 ? parts : parts.slice(0, end);
}

/** A path as a glob that matches nothing else. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}
