// What needs no engine, at the same number of tokens: windows around the references that research gave, and grep with
// context. Both are helped: the windows' number is chosen over all questions, grep's words by looking at the gold.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { keywordsOf } from "../locate/baselines.mjs";
import { decisiveShare, pathOf } from "./shown.mjs";

const WINDOW_COUNTS = [1, 2, 3, 4, 6, 8, 11];
const MAX_RADIUS = 200;
const MAX_WORDS = 8;

/** One share per number of windows: the widest windows of one size around so many references that fit. */
export function bestWindows(references, { checkout, decisive, tokensMax }) {
  const places = references.flatMap((reference) => {
    const line = /:(\d+)(?::\d+)?$/.exec(reference)?.[1];
    return line === undefined ? [] : [{ path: pathOf(reference), line: Number(line) }];
  });
  return WINDOW_COUNTS.map((count) => {
    let low = 0;
    let high = MAX_RADIUS;
    let best = new Set();
    while (low <= high) {
      const radius = (low + high) >> 1;
      const { text, keys } = windowsOf(places.slice(0, count), radius, checkout);
      if (countTokens(text) <= tokensMax) {
        best = keys;
        low = radius + 1;
      } else high = radius - 1;
    }
    return decisiveShare(decisive, best);
  });
}

function windowsOf(places, radius, checkout) {
  const wanted = new Map();
  for (const { path, line } of places) {
    const lines = wanted.get(path) ?? new Set();
    for (let at = line - radius; at <= line + radius; at++) lines.add(at);
    wanted.set(path, lines);
  }
  const keys = new Set();
  let text = "";
  for (const [path, lines] of wanted) {
    const source = readFileSync(join(checkout, path), "utf8").split("\n");
    text += `${path}\n`;
    for (const line of [...lines].sort((a, b) => a - b)) {
      if (line < 1 || line > source.length) continue;
      text += `${line}:${source[line - 1]}\n`;
      keys.add(`${path}:${line}`);
    }
  }
  return { text, keys };
}

/** The best share over all pairs of the question's rarest words. */
export function bestGrep(question, { checkout, decisive, tokensMax }) {
  const words = keywordsOf(question)
    .map((word) => ({ word, count: countOf(word, checkout) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, MAX_WORDS);
  let best = 0;
  for (let a = 0; a < words.length; a++) {
    for (let b = a + 1; b < words.length; b++) {
      const keys = grep([words[a].word, words[b].word], checkout, tokensMax);
      best = Math.max(best, decisiveShare(decisive, keys));
    }
  }
  return best;
}

const BASE = ["--no-config", "--no-heading", "--sort", "path", "-i", "-F"];

function countOf(word, checkout) {
  const { stdout } = rg([...BASE, "--count-matches", "--no-filename", "-e", word, "."], checkout);
  return stdout.split("\n").reduce((sum, line) => sum + Number(line), 0);
}

function grep(words, checkout, tokensMax) {
  const { stdout } = rg([...BASE, "-n", "-C3", ...words.flatMap((word) => ["-e", word]), "."], checkout);
  const keys = new Set();
  let tokens = 0;
  for (const line of stdout.split("\n")) {
    tokens += countTokens(`${line}\n`);
    if (tokens > tokensMax) break;
    const m = /^\.\/(.+?)[:-](\d+)[:-]/.exec(line);
    if (m !== null) keys.add(`${m[1]}:${m[2]}`);
  }
  return keys;
}

function rg(args, cwd) {
  const { stdout } = spawnSync(rgPath, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 29 });
  return { stdout: stdout ?? "" };
}
