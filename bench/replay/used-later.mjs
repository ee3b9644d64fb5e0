// Which lines of an output the agent used afterwards, and at which step first: quoted in what it wrote, edited by
// number, named by the thought that followed, or inside a range that it declared. A stand-in for "needed", the same for
// every way to cut.
import { isSamePath, pathsIn, printedLines } from "./printed-lines.mjs";

const MIN_QUOTED_CHARS = 16;
/** A brace or a blank line is in everybody's range and in nobody's mind. */
const IS_WORDS = /[A-Za-z]{3}/;
const MAX_NAMED_LINES = 3;
/** A wider range says what was looked at, not what was used. */
const MAX_DECLARED_LINES = 80;
const NAME = /[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g;
const IS_TELLING = /[a-z][A-Z]|_|\.|::|\d/;

/** Everything that the agent wrote in a run, in one string, and where each step's part starts. */
export function writtenIn(steps) {
  let all = "";
  const starts = steps.map(({ thought, command }) => {
    const start = all.length;
    all += `${thought}\n${command}\n`;
    return start;
  });
  return { all, starts };
}

/**
 * Per line of step `at`'s output: the first later step that used it, or -1; and whether that step printed it again
 * itself, so that nothing was missing.
 * @returns {{ step: Int32Array, isReread: Uint8Array, words: string[] }}
 */
export function usedLater(steps, at, written) {
  const { command, output, thought } = steps[at];
  const printed = printedLines(command, output);
  const first = new Int32Array(printed.length).fill(-1);
  const isReread = new Uint8Array(printed.length);
  const words = printed.map(({ text }) => text.trim());
  const use = (line, step, reread = 0) => {
    if (step <= at || !IS_WORDS.test(words[line])) return;
    if (first[line] >= 0 && (first[line] < step || (first[line] === step && reread === 1))) return;
    first[line] = step;
    isReread[line] = reread;
  };
  markQuoted(printed, { at, written, use });
  const next = steps[at + 1];
  if (next !== undefined) markNamed(printed, { said: `${thought}\n${command}`, next: next.thought, step: at + 1, use });
  for (let step = at + 1; step < steps.length; step++) {
    const declared = steps[step].ranges.filter((range) => range.last - range.first < MAX_DECLARED_LINES);
    const inside = (range, act) =>
      printed.forEach(({ path, line }, i) => {
        if (line >= range.first && line <= range.last && path !== undefined && isSamePath(path, range.path)) act(i);
      });
    for (const range of declared) inside(range, (i) => use(i, step, steps[step].output.includes(words[i]) ? 1 : 0));
    for (const range of editsIn(steps[step].command)) inside(range, (i) => use(i, step));
  }
  return { step: first, isReread, words };
}

function markQuoted(printed, { at, written, use }) {
  const from = written.starts[at + 1];
  if (from === undefined) return;
  const seen = new Map();
  printed.forEach(({ text }, i) => {
    const words = text.trim();
    if (words.length < MIN_QUOTED_CHARS) return;
    if (!seen.has(words)) {
      const found = written.all.indexOf(words, from);
      seen.set(words, found < 0 ? -1 : stepAt(written.starts, found));
    }
    use(i, seen.get(words));
  });
}

/** Names that the next thought brings up and that nobody had said: the lines that taught them, if they are few. */
function markNamed(printed, { said, next, step, use }) {
  const known = new Set(said.match(NAME) ?? []);
  const quoted = new Set([...next.matchAll(/`([^`\n]{4,80})`/g)].map(([, words]) => words));
  const names = (next.match(NAME) ?? []).filter((name) => name.length > 4 && IS_TELLING.test(name));
  for (const name of new Set([...names, ...quoted])) {
    if (known.has(name) || said.includes(name)) continue;
    const holders = printed.flatMap(({ text }, i) => (text.includes(name) ? [i] : []));
    for (const i of holders.slice(0, MAX_NAMED_LINES)) use(i, step);
  }
  for (const [, first, last] of next.matchAll(/\blines?\s+(\d+)(?:\s*(?:-|–|to)\s*(\d+))?/gi))
    printed.forEach(({ line }, i) => {
      if (line >= Number(first) && line <= Number(last ?? first)) use(i, step);
    });
}

function editsIn(command) {
  const paths = pathsIn(command);
  return [...command.matchAll(/\bsed\s+-i\S*\s+(?:-e\s+)?['"](\d+)(?:,(\d+))?\s*[sdcai]/g)].flatMap(([, first, last]) =>
    paths.map((path) => ({ path, first: Number(first), last: Number(last ?? first) })),
  );
}

function stepAt(starts, offset) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
