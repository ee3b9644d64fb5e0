// Reads where a match stands: the `path:line:` at the beginning of its line. A path may hold `:30:` itself (a log that is named
// `app-2026-01-11T12:30:41.log`), and so may the text, so that one line has several readings. The list as a whole
// decides: a search prints each line of a file once, and a reading in which one line of one file has several texts is
// wrong.

/** The file and the line of a match. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

/** One way to read a line. */
interface Reading extends Place {
  /** Where the number's own colon stands. */
  readonly end: number;
}

interface PlaceForm {
  /** Numbers behind the line's own: a column, a byte offset. */
  readonly extras: number;
  /** A line may be printed several times with different texts: its matches (`-o`), or messages of linters. */
  readonly repeats: boolean;
}

const TIME = String.raw`(?<![^\s/\\T_.@-])(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?!\d)`;
/** A path with a time of day in it, how it goes on, and a line number where there is one. */
const TIMED = new RegExp(String.raw`^((?:[A-Za-z]:[\\/])?[^:]*?${TIME}([^\s:]*)):(?:([1-9]\d{0,8}):)?`);
/** The line number behind the path of a context line. */
export const CONTEXT_NUMBER = /[-=] {0,8}(\d{1,9})[-=]/g;
/** A line of `-1-1-1-1` is not looked through to its end. */
export const MAX_NUMBERS = 50;
/** A log's line begins with a time as well, but no extension and no directory comes behind that. */
const PATH_END = /\.[A-Za-z]\w*$|[\\/][^\\/]+$/;
const EXTENSION = /\.[A-Za-z]\w*$/;
/** Paths with more numbers than this are read as well as they can be. */
const MAX_DEPTH = 8;
/** Share of the lines that have a second number before it is taken for a column. */
const COLUMN_SHARE = 0.9;

/** A path with a time of day in it at the beginning of a line, with the line number behind it, if there is one. */
export function readTimedPath(
  head: string,
): { readonly path: string; readonly number: string | undefined } | undefined {
  const [, path, end = "", number] = TIMED.exec(head) ?? [];
  return path !== undefined && PATH_END.test(end) ? { path, number } : undefined;
}

/**
 * Reads the place of each line; undefined for a line that has none, or none that can be right.
 * @param pattern the first reading: a path and a line number
 * @param form by default it is guessed
 */
export function readPlaces(heads: readonly string[], pattern: RegExp, form?: PlaceForm): (Place | undefined)[] {
  const readings = heads.map((head): Reading | undefined => {
    const timed = readTimedPath(head);
    const [, path = "", line = ""] =
      timed?.number === undefined ? (pattern.exec(head) ?? []) : ["", timed.path, timed.number];
    return path === "" ? undefined : { path, line: Number(line), end: path.length + 1 + line.length };
  });
  const { extras, repeats } = form ?? { extras: hasColumns(heads, readings) ? 1 : 0, repeats: true };
  const list: List = { heads, readings, number: numberBefore(extras), extras };
  if (!heads.some((_, index) => nextReading(list, index, readings[index]) !== undefined)) return readings;
  const changed = new Set<number>();
  const further = new Set<string>();
  let unsure: readonly number[] = [...heads.keys()];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const contradicting = groupByPlace(readings, unsure)
      .map((group) => group.filter((index) => !isContext(heads[index] ?? "", further)))
      .filter((group) => contradicts(list, group));
    const now = contradicting.flatMap((group) => readFurther(list, group, { isProof: !repeats }));
    for (const index of now) further.add(readings[index]?.path ?? "");
    for (const index of now) changed.add(index);
    unsure = contradicting.flat();
    if (now.length === 0) break;
  }
  if (!repeats) for (const index of unsure) readings[index] = undefined;
  if (changed.size > 0) readAlike(list, new Set([...changed].map((index) => shapeOf(readings[index]?.path ?? ""))));
  return readings;
}

interface List {
  readonly heads: readonly string[];
  /** Changed as the list is understood. */
  readonly readings: (Reading | undefined)[];
  /** Finds a number that can be a line's. */
  readonly number: RegExp;
  readonly extras: number;
}

function numberBefore(extras: number): RegExp {
  return new RegExp(`:([1-9]\\d{0,8})(?=:(?:\\d+:){${extras}})`, "g");
}

function hasColumns(heads: readonly string[], readings: readonly (Reading | undefined)[]): boolean {
  const read = readings.flatMap((reading, index) => (reading === undefined ? [] : [{ reading, head: heads[index] }]));
  const pairs = read.filter(({ reading, head = "" }) => /^:\d+:/.test(head.slice(reading.end, reading.end + 14)));
  return pairs.length > read.length * COLUMN_SHARE;
}

/** Lines that are read as the same line of the same file. */
function groupByPlace(readings: readonly (Reading | undefined)[], indices: readonly number[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const index of indices) {
    const reading = readings[index];
    if (reading === undefined) continue;
    const key = `${reading.line}:${reading.path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function contradicts(list: List, group: readonly number[]): boolean {
  const [first, ...others] = group.map((index) => textOf(list, index));
  return others.some((text) => text !== first);
}

function textOf({ heads, readings, extras }: List, index: number): string {
  let text = heads[index]?.slice((readings[index]?.end ?? 0) + 1) ?? "";
  for (let left = extras; left > 0; left--) text = text.replace(/^\d+:/, "");
  return text;
}

/** Takes the next reading of the lines that cannot all be right; returns which were changed. */
function readFurther(list: List, group: readonly number[], { isProof }: { readonly isProof: boolean }): number[] {
  const { heads, readings } = list;
  const found = group.flatMap((index) => {
    const next = nextReading(list, index, readings[index]);
    return next === undefined ? [] : [{ index, next }];
  });
  const paths = [...new Set(found.map(({ next }) => next.path))];
  if (!isProof) {
    const current = readings[group[0] ?? 0]?.path ?? "";
    const isPath = (path: string) =>
      !/\s/.test(path.slice(current.length)) && (EXTENSION.test(path) || !EXTENSION.test(current));
    const known = new Set(paths);
    const isRead = new Set(found.map(({ index }) => index));
    const isExplained = (index: number) => isRead.has(index) || isContext(heads[index] ?? "", known);
    if (paths.length > found.length / 2 || !paths.every(isPath) || !group.every(isExplained)) return [];
  }
  for (const { index, next } of found) readings[index] = next;
  return found.map(({ index }) => index);
}

/** Files that are named like those with numbers in their names, and that have a single match. */
function readAlike(list: List, shapes: ReadonlySet<string>): void {
  const { readings } = list;
  readings.forEach((reading, index) => {
    if (reading === undefined || shapes.has(shapeOf(reading.path))) return;
    let next = nextReading(list, index, reading);
    for (let depth = 0; depth < MAX_DEPTH && next !== undefined; depth++) {
      if (shapes.has(shapeOf(next.path))) readings[index] = next;
      next = nextReading(list, index, next);
    }
  });
}

function nextReading({ heads, number }: List, index: number, reading: Reading | undefined): Reading | undefined {
  if (reading === undefined) return undefined;
  const head = heads[index] ?? "";
  number.lastIndex = reading.end;
  const found = number.exec(head);
  if (found === null) return undefined;
  return { path: head.slice(0, found.index), line: Number(found[1]), end: found.index + found[0].length };
}

/** Whether a line is `path-12-text` with one of these paths. */
export function isContext(head: string, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false;
  let numbers = 0;
  for (const found of head.matchAll(CONTEXT_NUMBER)) {
    if (++numbers > MAX_NUMBERS) return false;
    if (paths.has(head.slice(0, found.index))) return true;
  }
  return false;
}

function shapeOf(path: string): string {
  return path.replace(/\d+/g, "0");
}
