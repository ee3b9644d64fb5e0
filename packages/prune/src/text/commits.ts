// Which lines of a text are a list of commits, as `git log` prints it. A failure in a commit's message is one that the commit
// mended, not the reader's.
import { remember } from "./known-texts.ts";
import { type LineTable, lineAt } from "./lines.ts";

/** What `--graph` draws before a line. */
const GRAPH = "[*|\\\\/_ ]*";
const ANY_COMMIT = new RegExp(`^${GRAPH}(?:commit )?[0-9a-f]{7,40}(?: |$)`, "m");
const ONE_LINE = new RegExp(`^${GRAPH}([0-9a-f]{7,40}) (?!.?(?:ERROR|WARN|INFO|DEBUG|TRACE|FATAL|\\d\\d[:-]\\d))\\S`);
const GRAPH_ALONE = /^[*|\\/_ ]+$/;
const HEAD = new RegExp(`^${GRAPH}commit [0-9a-f]{7,40}\\b`);
/** Who and when: `AuthorDate: `, say. */
const FIELD = new RegExp(`^${GRAPH}(?:Author|Commit|Merge|[A-Za-z]*Dat[e]): `);
/** A message, a file of `--stat`, or the line that sums those up. */
const OF_COMMIT = new RegExp(
  `^${GRAPH}(?:$| {4}| \\S.* \\| +(?:\\d|Bin\\b)| \\d+ files? changed\\b| (?:create|delete) mode \\d| rename )`,
);
/** Fewer lines that begin with a hexadecimal number may be anything. */
const MIN_ONE_LINERS = 5;

const COMMITS = {};

/** Per line, 1 where it belongs to a list of commits; undefined where none does. */
export function findCommits(table: LineTable): Uint8Array | undefined {
  return remember(
    table,
    COMMITS,
    () => readCommits(table),
    (commits) => commits?.byteLength ?? 0,
  );
}

function readCommits(table: LineTable): Uint8Array | undefined {
  if (!ANY_COMMIT.test(table.text)) return undefined;
  const found = new Uint8Array(table.count);
  for (let line = 0; line < table.count; ) {
    const text = lineAt(table, line);
    const end = HEAD.test(text) ? endOfCommit(table, line) : ONE_LINE.test(text) ? endOfOneLiners(table, line) : line;
    found.fill(1, line, end);
    line = Math.max(end, line + 1);
  }
  return found;
}

/** The line behind a commit that tells its author; the line itself where it does not. */
function endOfCommit(table: LineTable, head: number): number {
  let end = head + 1;
  while (end < table.count && FIELD.test(lineAt(table, end))) end++;
  if (end === head + 1) return head;
  while (end < table.count && OF_COMMIT.test(lineAt(table, end))) end++;
  return end;
}

/** The line behind a list of one line for each commit; the first line where it is none: too short, or a hash twice. */
function endOfOneLiners(table: LineTable, first: number): number {
  const hashes = new Set<string>();
  let end = first;
  for (; end < table.count; end++) {
    const text = lineAt(table, end);
    const hash = ONE_LINE.exec(text)?.[1];
    if (hash === undefined && (GRAPH_ALONE.test(text) || (OF_COMMIT.test(text) && text.trim() !== ""))) continue;
    if (hash === undefined || hashes.has(hash)) break;
    hashes.add(hash);
  }
  return hashes.size >= MIN_ONE_LINERS ? end : first;
}
