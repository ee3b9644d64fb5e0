// Which lines of an output the agent used afterwards, and at which call first: quoted in what it wrote, edited by number,
// named in the words that followed, the file of a search hit opened, or inside a range that it declared. A stand-in for
// "needed". No trace is no proof of no use.
const MIN_QUOTED_CHARS = 16;
/** A brace or a blank line is in everybody's range and in nobody's mind. */
const IS_WORDS = /[A-Za-z]{3}/;
const BOILERPLATE =
  /^(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:]+;|package\s|using\s|require\(|#!|@\w+$)/;
const MAX_NAMED_LINES = 3;
const MAX_SAME_LINES = 3;
/** A wider range says what was looked at, not what was used. */
const MAX_DECLARED_LINES = 80;
const NAME = /[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g;
const IS_TELLING = /[a-z][A-Z]|_|\.|::|\d/;
const NUMBERED = /^\s*(\d+)(?:\t|[:-]\s?)(.*)$/;
const HIT = /^([^\s:]*[\w-]\.\w{1,6})(?::(\d+)[:-]|[:-](\d+)[:-]|$)/;

/** The tracer of a session: `usesOf(step, output)` is the first call that used each line, -1 for none. */
export function createTracer({ steps, words, priced }, { classOfCommand }) {
  const written = indexOf(steps);
  const lastCalls = lastCallsOf(priced);
  return (step, output) => {
    const lines = linesOf(step, output, classOfCommand);
    const uses = new Int32Array(lines.length).fill(-1);
    // What was said and read before a compaction is gone behind it.
    const last = lastCalls[step.call] ?? priced.length - 1;
    const use = (index, call) => {
      const at = Math.min(Math.max(call, step.call + 1), last);
      if (call > last || at <= step.call || !IS_WORDS.test(lines[index].text)) return;
      if (uses[index] < 0 || at < uses[index]) uses[index] = at;
    };
    const seen = { lines, step, use };
    markQuoted(seen, written);
    markOpened(seen, steps);
    markRanges(seen, steps);
    const said = `${words[step.call] ?? ""}\n${step.written}`;
    if (step.call < last) markNamed(seen, { said, next: words[step.call + 1] ?? "" });
    return uses;
  };
}

/** By call, the last one with the same context. */
function lastCallsOf(priced) {
  const lastCalls = new Array(priced.length);
  for (let call = priced.length - 1, last = call; call >= 0; call--) {
    lastCalls[call] = last;
    if (priced[call].isFirst) last = call - 1;
  }
  return lastCalls;
}

/** Lines that the agent wrote, by their words, with the calls that did; and all of its commands in one string. */
function indexOf(steps) {
  const lines = new Map();
  let commands = "";
  const starts = [];
  for (const { written, outputs, call } of steps) {
    starts.push({ at: commands.length, call });
    if (outputs.some(({ command }) => command !== undefined)) commands += `${written}\n`;
    for (const line of written.split("\n"))
      for (const words of new Set([line.trim(), line.replace(/^[-+ ]/, "").trim()])) {
        if (words.length < MIN_QUOTED_CHARS) continue;
        if (!lines.has(words)) lines.set(words, []);
        lines.get(words).push(call);
      }
  }
  return { lines, commands, starts };
}

/** One entry per line: its words, and its place in a file where that is known. */
function linesOf({ input, tool }, { text, response, command }, classOfCommand) {
  const lines = text.split("\n");
  const file = command === undefined ? response?.file : undefined;
  if (tool === "Read" && file !== undefined)
    return lines.map((line, index) => ({ text: line.trim(), path: input?.file_path, line: file.startLine + index }));
  const about = command === undefined ? { class: "search" } : classOfCommand(command);
  const isNumbered = lines.filter((line) => NUMBERED.test(line)).length >= lines.length * 0.6;
  const first = about.range?.first ?? (about.class === "read" ? 1 : undefined);
  return lines.map((line, index) => {
    const [, number, rest] = (isNumbered && NUMBERED.exec(line)) || [];
    if (number !== undefined) return { text: rest.trim(), path: about.path, line: Number(number) };
    const [, hit] = (about.class === "search" && HIT.exec(line.trim())) || [];
    if (hit !== undefined) return { text: line.trim(), hit };
    return { text: line.trim(), path: about.path, line: first === undefined ? undefined : first + index };
  });
}

function markQuoted({ lines, step, use }, { lines: written, commands, starts }) {
  const from = starts.find(({ call }) => call > step.call)?.at;
  if (from === undefined) return;
  const counts = new Map();
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  lines.forEach(({ text }, index) => {
    if (text.length < MIN_QUOTED_CHARS || BOILERPLATE.test(text) || counts.get(text) > MAX_SAME_LINES) return;
    const calls = written.get(text) ?? [];
    // The agent's own words that come back are none of the file's.
    if (calls.some((call) => call <= step.call)) return;
    const quoted = calls.find((call) => call > step.call);
    if (quoted !== undefined) use(index, quoted);
    const found = commands.indexOf(text, from);
    if (found >= 0) use(index, callAt(starts, found));
  });
}

/** The first hit of a file stands for all of them. */
function markOpened({ lines, step, use }, steps) {
  const known = new Set();
  lines.forEach(({ hit }, index) => {
    if (hit === undefined || known.has(hit)) return;
    known.add(hit);
    const tail = hit.split("/").slice(-2).join("/");
    if (tail.length < 8) return;
    const first = steps.find(({ written }) => written.includes(tail));
    if (first !== undefined && first.call > step.call) use(index, first.call);
  });
}

function markRanges({ lines, step, use }, steps) {
  for (const later of steps) {
    if (later.call <= step.call) continue;
    const declared = later.ranges.filter((range) => range.last - range.first < MAX_DECLARED_LINES);
    for (const range of [...declared, ...editsIn(later.written)])
      lines.forEach(({ path, line }, index) => {
        const isInside = line >= range.first && line <= range.last && path !== undefined;
        if (isInside && isSamePath(path, range.path)) use(index, later.call);
      });
  }
}

/** Names that first appear in the next words: the lines that hold them, if those are few. */
function markNamed({ lines, step, use }, { said, next }) {
  const known = new Set(said.match(NAME) ?? []);
  const quoted = [...next.matchAll(/`([^`\n]{4,80})`/g)].map(([, words]) => words);
  const names = (next.match(NAME) ?? []).filter((name) => name.length > 4 && IS_TELLING.test(name));
  for (const name of new Set([...names, ...quoted])) {
    if (known.has(name) || said.includes(name)) continue;
    const holders = lines.flatMap(({ text }, index) => (text.includes(name) ? [index] : []));
    for (const index of holders.slice(0, MAX_NAMED_LINES)) use(index, step.call + 1);
  }
  for (const [, first, last] of next.matchAll(/\blines?\s+(\d+)(?:\s*(?:-|–|to)\s*(\d+))?/gi))
    lines.forEach(({ line }, index) => {
      if (line >= Number(first) && line <= Number(last ?? first)) use(index, step.call + 1);
    });
}

function editsIn(written) {
  if (!written.includes("sed")) return [];
  const paths = written.match(/[\w@~+./-]*[\w@~+-]\.[A-Za-z]\w{0,5}(?=$|[\s'"|;&)>])/g) ?? [];
  const edits = written.matchAll(/\bsed\s+-i\S*\s+(?:-e\s+)?['"](\d+)(?:,(\d+))?\s*[sdcai]/g);
  return [...edits].flatMap(([, first, last]) =>
    [...new Set(paths)].map((path) => ({ path, first: Number(first), last: Number(last ?? first) })),
  );
}

/** Whether two ways to write a path may mean one file: agents change directory as they go. */
function isSamePath(a, b) {
  const [x, y] = [a, b].map((path) => path.replace(/^(?:\.\/)+/, ""));
  return x === y || x.endsWith(`/${y}`) || y.endsWith(`/${x}`);
}

function callAt(starts, offset) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle].at <= offset) low = middle;
    else high = middle - 1;
  }
  return starts[low].call;
}
