// Transcripts as files, one at a time: what is held is one session, whatever their number.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A longer file is left out: it would have to be held whole. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The `*.jsonl` files of a folder and of those below it, in the order of their names; of a file, itself. */
export function transcriptsIn(path) {
  if (statOf(path).isFile()) return [path];
  const found = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  if (found.length === 0) throw new Error(`${path}: no *.jsonl file in it`);
  return found;
}

/** The lines of a transcript: { name, lines }. Rejects an empty file and one that is too large. */
export function readLines(file) {
  const { size } = statOf(file);
  if (size === 0) throw new Error(`${file}: empty`);
  if (size > MAX_BYTES) throw new Error(`${file}: larger than ${MAX_BYTES / 1024 / 1024} MB`);
  return { name: file, lines: readFileSync(file, "utf8").split("\n") };
}

function statOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error(`${path}: no such file or folder`);
  return stats;
}
