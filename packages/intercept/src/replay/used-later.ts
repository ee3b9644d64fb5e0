// Which lines of an output the agent used afterwards, and at which call first: quoted in what it wrote, edited by number,
// named in the words that followed, the file of a search hit opened, or inside a range that it declared. An
// approximation of "needed": a line without a trace may still have been used.
import { isRecord } from "@jeeves/base";
import { classOfCommand } from "../command-class.ts";
import type { RecordedOutput } from "../transcript/recorded-client.ts";
import type { DeclaredRange, RecordedSession, Step } from "./read-session.ts";

const MIN_QUOTED_CHARS = 16;
/** Braces and blank lines are in every range, so they are ignored. */
const IS_WORDS = /[A-Za-z]{3}/;
const BOILERPLATE =
  /^(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:]+;|package\s|using\s|require\(|#!|@\w+$)/;
const MAX_NAMED_LINES = 3;
const MAX_SAME_LINES = 3;
/** A wider range shows what was viewed, not what was used. */
const MAX_DECLARED_LINES = 80;
const NAME = /[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g;
const IS_TELLING = /[a-z][A-Z]|_|\.|::|\d/;
const NUMBERED = /^\s*(\d+)(?:\t|[:-]\s?)(.*)$/;
const HIT = /^([^\s:]*[\w-]\.\w{1,6})(?::(\d+)[:-]|[:-](\d+)[:-]|$)/;

interface TracedLine {
  readonly text: string;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  /** The file of a search hit. */
  readonly hit?: string;
}

interface Traced {
  readonly lines: readonly TracedLine[];
  readonly step: Step;
  use(index: number, call: number): void;
}

/** The tracer of a session: the first call that used each line of an output, -1 for none. */
export function createTracer({ steps, words, priced }: RecordedSession) {
  const written = indexOf(steps);
  const lastCalls = lastCallsOf(priced);
  const edits = new Map(steps.map((step) => [step, [...declaredBy(step), ...editsIn(step.written)]] as const));
  return (step: Step, output: RecordedOutput): Int32Array => {
    const lines = linesOf(step, output);
    const uses = new Int32Array(lines.length).fill(-1);
    // After a compaction, earlier messages and results are gone from the context.
    const last = lastCalls[step.call] ?? priced.length - 1;
    const use = (index: number, call: number): void => {
      const at = Math.min(Math.max(call, step.call + 1), last);
      if (call > last || at <= step.call || !IS_WORDS.test(lines[index]?.text ?? "")) return;
      const known = uses[index] ?? -1;
      if (known < 0 || at < known) uses[index] = at;
    };
    const seen: Traced = { lines, step, use };
    markQuoted(seen, written);
    markOpened(seen, steps);
    markRanges(seen, edits);
    const said = `${words[step.call] ?? ""}\n${step.written}`;
    if (step.call < last) markNamed(seen, { said, next: words[step.call + 1] ?? "" });
    return uses;
  };
}

/** By call, the last one with the same context. */
function lastCallsOf(priced: RecordedSession["priced"]): number[] {
  const lastCalls = new Array<number>(priced.length);
  for (let call = priced.length - 1, last = call; call >= 0; call--) {
    lastCalls[call] = last;
    if (priced[call]?.isFirst) last = call - 1;
  }
  return lastCalls;
}

interface WrittenWords {
  /** The calls that wrote a line, by its words. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
  /** All commands in one string, and where those of a step begin. */
  readonly commands: string;
  readonly starts: readonly { readonly at: number; readonly call: number }[];
}

function indexOf(steps: readonly Step[]): WrittenWords {
  const lines = new Map<string, number[]>();
  const commands: string[] = [];
  let at = 0;
  const starts: { at: number; call: number }[] = [];
  for (const { written, outputs, call } of steps) {
    starts.push({ at, call });
    if (outputs.some(({ kind }) => kind === "command")) {
      commands.push(`${written}\n`);
      at += written.length + 1;
    }
    for (const line of written.split("\n"))
      for (const words of new Set([line.trim(), line.replace(/^[-+ ]/, "").trim()])) {
        if (words.length < MIN_QUOTED_CHARS) continue;
        const calls = lines.get(words) ?? [];
        lines.set(words, calls);
        calls.push(call);
      }
  }
  return { lines, commands: commands.join(""), starts };
}

/** One entry per line: its words, and its place in a file where that is known. */
function linesOf({ input, tool }: Step, output: RecordedOutput): TracedLine[] {
  const lines = output.text.split("\n");
  if (output.kind === "tool") {
    const file = isRecord(output.response) ? output.response.file : undefined;
    if (tool === "Read" && isRecord(file)) {
      const path = isRecord(input) && typeof input.file_path === "string" ? input.file_path : undefined;
      const first = Number(file.startLine);
      return lines.map((line, index) => ({ text: line.trim(), path, line: first + index }));
    }
  }
  const about = output.kind === "tool" ? ({ class: "search" } as const) : classOfCommand(output.command);
  const place = "path" in about ? about.path : undefined;
  const range = "range" in about ? about.range : undefined;
  const isNumbered = lines.filter((line) => NUMBERED.test(line)).length >= lines.length * 0.6;
  const first = range?.first ?? (about.class === "read" ? 1 : undefined);
  return lines.map((line, index) => {
    const [, number, rest = ""] = (isNumbered && NUMBERED.exec(line)) || [];
    if (number !== undefined) return { text: rest.trim(), path: place, line: Number(number) };
    const [, hit] = (about.class === "search" && HIT.exec(line.trim())) || [];
    if (hit !== undefined) return { text: line.trim(), hit };
    return { text: line.trim(), path: place, line: first === undefined ? undefined : first + index };
  });
}

function markQuoted({ lines, step, use }: Traced, { lines: written, commands, starts }: WrittenWords): void {
  const from = starts.find(({ call }) => call > step.call)?.at;
  if (from === undefined) return;
  const counts = new Map<string, number>();
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  lines.forEach(({ text }, index) => {
    if (text.length < MIN_QUOTED_CHARS || BOILERPLATE.test(text) || (counts.get(text) ?? 0) > MAX_SAME_LINES) return;
    const calls = written.get(text) ?? [];
    // Lines that the agent wrote itself before do not count.
    if (calls.some((call) => call <= step.call)) return;
    const quoted = calls.find((call) => call > step.call);
    if (quoted !== undefined) use(index, quoted);
    const found = commands.indexOf(text, from);
    if (found >= 0) use(index, callAt(starts, found));
  });
}

/** The first hit of a file represents all of its hits. */
function markOpened({ lines, step, use }: Traced, steps: readonly Step[]): void {
  const known = new Set<string>();
  lines.forEach(({ hit }, index) => {
    if (hit === undefined || known.has(hit)) return;
    known.add(hit);
    const tail = hit.split("/").slice(-2).join("/");
    if (tail.length < 8) return;
    const first = steps.find(({ written }) => written.includes(tail));
    if (first !== undefined && first.call > step.call) use(index, first.call);
  });
}

function markRanges({ lines, step, use }: Traced, edits: ReadonlyMap<Step, readonly DeclaredRange[]>): void {
  if (lines.every(({ path }) => path === undefined)) return;
  for (const [later, ranges] of edits) {
    if (later.call <= step.call) continue;
    for (const range of ranges)
      lines.forEach(({ path, line }, index) => {
        const isInside = line !== undefined && line >= range.first && line <= range.last && path !== undefined;
        if (isInside && isSamePath(path, range.path)) use(index, later.call);
      });
  }
}

/** Names that first appear in the next words: the lines that hold them, if those are few. */
function markNamed(
  { lines, step, use }: Traced,
  { said, next }: { readonly said: string; readonly next: string },
): void {
  const known = new Set(said.match(NAME) ?? []);
  const quoted = [...next.matchAll(/`([^`\n]{4,80})`/g)].map(([, words = ""]) => words);
  const names = (next.match(NAME) ?? []).filter((name) => name.length > 4 && IS_TELLING.test(name));
  for (const name of new Set([...names, ...quoted])) {
    if (known.has(name) || said.includes(name)) continue;
    const holders = lines.flatMap(({ text }, index) => (text.includes(name) ? [index] : []));
    for (const index of holders.slice(0, MAX_NAMED_LINES)) use(index, step.call + 1);
  }
  for (const [, first, last] of next.matchAll(/\blines?\s+(\d+)(?:\s*(?:-|–|to)\s*(\d+))?/gi))
    lines.forEach(({ line }, index) => {
      if (line !== undefined && line >= Number(first) && line <= Number(last ?? first)) use(index, step.call + 1);
    });
}

function declaredBy({ ranges }: Step): DeclaredRange[] {
  return ranges.filter(({ first, last }) => last - first < MAX_DECLARED_LINES);
}

function editsIn(written: string): DeclaredRange[] {
  if (!written.includes("sed")) return [];
  const paths = new Set(written.match(/[\w@~+./-]*[\w@~+-]\.[A-Za-z]\w{0,5}(?=$|[\s'"|;&)>])/g) ?? []);
  const edits = written.matchAll(/\bsed\s+-i\S*\s+(?:-e\s+)?['"](\d+)(?:,(\d+))?\s*[sdcai]/g);
  return [...edits].flatMap(([, first, last]) =>
    [...paths].map((path) => ({ path, first: Number(first), last: Number(last ?? first) })),
  );
}

/** Whether two paths may mean the same file: agents change their directory meanwhile. */
function isSamePath(a: string, b: string): boolean {
  const [x = "", y = ""] = [a, b].map((path) => path.replace(/^(?:\.\/)+/, ""));
  return x === y || x.endsWith(`/${y}`) || y.endsWith(`/${x}`);
}

function callAt(starts: WrittenWords["starts"], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return starts[low]?.call ?? 0;
}
