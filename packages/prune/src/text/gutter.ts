// Removes the numbers that `nl` and `cat -n` print before each line: a text is ranked and parsed without them, and shown with
// them. Nearly every line must have one; a table whose first column counts has no tab behind it.

const NUMBERED = /^ {0,12}(\d{1,8})\t/;
/** A heading between two files, or a line that a tool adds at the end, is not numbered. */
const MIN_SHARE = 0.9;
const MIN_LINES = 10;

/** The text without its line numbers, line for line; undefined where it has none. */
export function withoutGutter(text: string): string | undefined {
  // Most texts are decided by their first lines.
  const head = text.slice(0, 2_000).split("\n", MIN_LINES);
  if (!head.some((line) => NUMBERED.test(line))) return undefined;
  const lines = text.split("\n");
  if (lines.length < MIN_LINES) return undefined;
  let numbered = 0;
  let filled = 0;
  let before = 0;
  const bare = lines.map((line) => {
    if (line.trim() === "") return line;
    filled++;
    const found = NUMBERED.exec(line);
    if (found === null) return line;
    const number = Number(found[1]);
    // Numbers follow each other; where they start anew, another file does.
    if (number === before + 1 || number === 1 || before === 0 || number < before) numbered++;
    before = number;
    return line.slice(found[0].length);
  });
  return numbered >= filled * MIN_SHARE ? bare.join("\n") : undefined;
}
