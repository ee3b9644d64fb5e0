// Which lines of which files an output shows: from the numbers that nl, cat -n and grep -n print, else from the
// command's own range. Where neither tells, a line has no place, and only its words can be used later.
const NUMBERED = /^\s*(\d+)(?:\t|[:-]\s?)(.*)$/;

/**
 * One entry per line of the output: its words, and its place in a file where that is known.
 * @returns {{ text: string, path: string | undefined, line: number | undefined }[]}
 */
export function printedLines(command, output) {
  const lines = output.split("\n");
  const paths = pathsIn(command);
  const numbered = lines.filter((line) => NUMBERED.test(line)).length;
  if (numbered < lines.length * 0.6) return byRange(lines, command, paths);
  let file = 0;
  let before = 0;
  return lines.map((line) => {
    const found = NUMBERED.exec(line);
    if (found === null) return { text: line, path: undefined, line: undefined };
    const number = Number(found[1]);
    // A number that goes back starts the next file that the command names.
    if (number < before && file < paths.length - 1) file++;
    before = number;
    return { text: found[2], path: paths[file], line: number };
  });
}

function byRange(lines, command, paths) {
  const range = /\bsed\s+-n\s+['"]?(\d+),(\d+)p/.exec(command);
  const isWhole = /(?:^|&&|;)\s*cat\s+\S+\s*$/.test(command) || /\bhead\b/.test(command);
  const from = range === null ? (isWhole ? 1 : undefined) : Number(range[1]);
  const path = paths.length === 1 ? paths[0] : undefined;
  const isKnown = from !== undefined && path !== undefined;
  return lines.map((text, i) => ({
    text,
    path: isKnown ? path : undefined,
    line: isKnown ? from + i : undefined,
  }));
}

export function pathsIn(command) {
  const words = command.match(/[\w@~+./-]*[\w@~+-]\.[A-Za-z]\w{0,5}(?=$|[\s'"|;&)>])/g) ?? [];
  return [...new Set(words)].filter((word) => !word.startsWith("-"));
}

/** Whether two ways to write a path may mean one file: agents change directory as they go. */
export function isSamePath(a, b) {
  const [x, y] = [a, b].map((path) => path.replace(/^(?:\.\/)+/, ""));
  return x === y || x.endsWith(`/${y}`) || y.endsWith(`/${x}`);
}
