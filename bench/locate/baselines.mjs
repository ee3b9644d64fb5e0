// What anyone would try first: ripgrep by keywords, and BM25 over whole files. Both get the same files and words.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";

const STOP = new Set(
  "a an the of in on and or to for with is are be by from that this these those it as at which what how where why who does do did when between into its their there than then not no if can could should would will has have had was were been being using use used while within each other such any all more most must may might across also but both".split(
    " ",
  ),
);
const K1 = 1.2;
const B = 0.75;
const MAX_FILE_BYTES = 2 ** 20;

export function keywordsOf(question) {
  const words = question.match(/[A-Za-z_][A-Za-z0-9_]{2,}/g) ?? [];
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => !STOP.has(word));
}

/** Files by how many of the keywords they contain, then by how often. */
export function rankByRipgrep(dir, question) {
  const found = new Map();
  for (const line of matchesOf(dir, keywordsOf(question)).split("\n")) {
    const nul = line.indexOf("\0");
    if (nul < 0) continue;
    const path = line.slice(2, nul);
    const one = found.get(path) ?? { words: new Set(), times: 0 };
    one.words.add(line.slice(nul + 1).toLowerCase());
    one.times++;
    found.set(path, one);
  }
  return [...found.entries()]
    .sort(([a, x], [b, y]) => y.words.size - x.words.size || y.times - x.times || (a < b ? -1 : 1))
    .map(([path]) => path);
}

function matchesOf(dir, words) {
  const args = ["--only-matching", "--null", "--no-line-number", "--no-heading", "--no-config", "-i", "-w", "-F"];
  const { stdout } = spawnSync(rgPath, [...args, ...words.flatMap((word) => ["-e", word]), "."], {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: 2 ** 29,
  });
  return stdout ?? "";
}

export function createBm25(dir) {
  const paths = execFileSync(rgPath, ["--files", "--no-config"], { cwd: dir, encoding: "utf8", maxBuffer: 2 ** 28 })
    .trim()
    .split("\n")
    .sort();
  const files = [];
  const fileCount = new Map();
  for (const path of paths) {
    const bytes = readFileSync(join(dir, path));
    if (bytes.length > MAX_FILE_BYTES || bytes.subarray(0, 8_192).includes(0)) continue;
    const tf = new Map();
    let length = 0;
    for (const [word] of bytes.toString("utf8").matchAll(/[A-Za-z_][A-Za-z0-9_]{2,}/g)) {
      const term = word.toLowerCase();
      tf.set(term, (tf.get(term) ?? 0) + 1);
      length++;
    }
    for (const term of tf.keys()) fileCount.set(term, (fileCount.get(term) ?? 0) + 1);
    files.push({ path, tf, length });
  }
  const mean = files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, files.length);
  return (question) => {
    const terms = keywordsOf(question).filter((term) => fileCount.has(term));
    const idf = (term) => Math.log(1 + (files.length - fileCount.get(term) + 0.5) / (fileCount.get(term) + 0.5));
    return files
      .map(({ path, tf, length }) => {
        let score = 0;
        for (const term of terms) {
          const count = tf.get(term) ?? 0;
          if (count > 0) score += (idf(term) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / mean));
        }
        return { path, score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path);
  };
}
