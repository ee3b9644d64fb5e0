#!/usr/bin/env node
// Real outputs of real programs, each with questions whose answers are in it: how many answers are still there in a fifth of
// the text, and does everything come back. Beside jq's way (lists and strings cut short) and head and tail, at the same size.
//   npm run bench -- shapes [--json] [--only WORD] [--keep 0.2]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { importBundled } from "../bundle.mjs";
import { createTempDir } from "../temp-dir.mjs";
import { jsonOutputs } from "./make-json.mjs";
import { textOutputs } from "./make-texts.mjs";

const { values: opt } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    keep: { type: "string", default: "0.2" },
    dump: { type: "string" },
  },
});
const KEEP = Number(opt.keep);
const { engine } = await importBundled("bench-shapes", { engine: "packages/prune/src/index.ts" });
const { prune, renderPruned, shortMarker, splitLines, linesOf } = engine;

const dir = createTempDir();
const rows = [];
for (const output of [...jsonOutputs(dir), ...textOutputs(dir)]) {
  const isWanted = output.text !== "" && output.text.length >= 2_000 && output.name.includes(opt.only);
  if (!isWanted) continue;
  const { name, text, path } = output;
  if (opt.dump !== undefined) writeFileSync(`${opt.dump}/${name.replace(/\W+/g, "-")}`, text);
  for (const asked of output.questions) {
    const range = rangeOf(text, asked);
    if (range === undefined) {
      console.error(`${name}: nothing answers "${asked.question}"`);
      continue;
    }
    const how = { focus: asked.question, insideLines: true, ...(path === undefined ? {} : { path }) };
    const share = await prune(text, { ...how, amount: { mode: "share", keep: KEEP } });
    const auto = await prune(text, { ...how, amount: { mode: "auto" } });
    const size = renderPruned(text, share, { marker: shortMarker }).length;
    rows.push({
      name,
      question: asked.question,
      chars: text.length,
      status: share.status === "pruned" ? share.kind : (share.note ?? share.status),
      share: size / text.length,
      kept: isShown(text, share, range),
      exact: isExact(text, share) && isExact(text, auto),
      auto: isShown(text, auto, range),
      autoShare: renderPruned(text, auto, { marker: shortMarker }).length / text.length,
      jq: asked.at === undefined ? undefined : isInShort(text, asked.at, size),
      head: range.end <= size,
      ends: range.end <= size / 2 || range.start >= text.length - size / 2,
    });
  }
}
report();

function rangeOf(text, { at, near, answer }) {
  if (at === undefined) {
    const from = text.indexOf(near);
    const start = from < 0 ? -1 : text.indexOf(answer, from);
    return start < 0 ? undefined : { start, end: start + answer.length };
  }
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, at);
  return node && { start: node.offset, end: node.offset + node.length };
}

/** Every character of the answer, in its own place. */
function isShown(text, { blocks }, { start, end }) {
  const { starts } = splitLines(text);
  return blocks.every(({ chars, startLine, endLine }) => {
    const from = chars === undefined ? starts[startLine - 1] : chars.startChar - 1;
    const to = chars === undefined ? starts[endLine] : chars.endChar;
    return to <= start || from >= end;
  });
}

function isExact(text, pruned) {
  const table = splitLines(text);
  const sign = "\uE000\uE001";
  const parts = renderPruned(text, pruned, { marker: (_, index) => `${sign}${index}${sign}` }).split(sign);
  const back = parts.map((part, nth) => {
    if (nth % 2 === 0) return part;
    const { chars, startLine, endLine } = pruned.blocks[Number(part)];
    return chars === undefined ? linesOf(table, startLine, endLine) : text.slice(chars.startChar - 1, chars.endChar);
  });
  return !text.includes(sign) && back.join("") === text;
}

/** As one shortens with jq: the first items of lists, the beginnings of strings, as many as fit. */
function isInShort(text, at, size) {
  const value = JSON.parse(text);
  const space = text.trim().includes("\n") ? 2 : 0;
  let [low, high] = [0, 10_000];
  const short = (most) => JSON.stringify(shortened(value, most, 0), null, space);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (short(middle).length <= size) low = middle;
    else high = middle - 1;
  }
  let found = shortened(value, low, 0);
  for (const key of at) found = found?.[key];
  let wanted = value;
  for (const key of at) wanted = wanted?.[key];
  return JSON.stringify(found) === JSON.stringify(wanted);
}

function shortened(value, most, depth) {
  if (depth > 400) return "…";
  if (typeof value === "string")
    return value.length > Math.max(20, most * 4) ? `${value.slice(0, Math.max(20, most * 4))}…` : value;
  if (Array.isArray(value)) return value.slice(0, most).map((one) => shortened(one, most, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most)
      .map(([key, one]) => [key, shortened(one, most, depth + 1)]),
  );
}

function report() {
  if (opt.json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const outputs = new Set(rows.map(({ name }) => name));
  const of = (list, is) => `${list.filter(is).length} of ${list.length}`;
  console.log(`${outputs.size} outputs, ${rows.length} questions, a share of ${KEEP}\n`);
  const lost = rows.filter(({ kept, exact, share }) => !kept || !exact || share > KEEP);
  for (const { name, question, share, kept, exact, status } of lost)
    console.log(
      `  ${kept ? "" : "lost "}${exact ? "" : "NOT EXACT "}${(100 * share).toFixed(1)} % ${status}: ${name}: ${question}`,
    );
  const json = rows.filter(({ jq }) => jq !== undefined);
  console.log(`\nanswers kept:          ${of(rows, ({ kept, share }) => kept && share <= KEEP)} at no more than that`);
  console.log(`recovered exactly:     ${of(rows, ({ exact }) => exact)}`);
  console.log(
    `the engine's amount:   ${of(rows, ({ auto }) => auto)} in ${percent(rows.map(({ autoShare }) => autoShare))} on average`,
  );
  console.log(`JSON: ours, jq's way:  ${of(json, ({ kept }) => kept)}, ${of(json, ({ jq }) => jq)} at the same size`);
  console.log(
    `head; head and tail:   ${of(rows, ({ head }) => head)}; ${of(rows, ({ ends }) => ends)} at the same size`,
  );
}

function percent(shares) {
  return `${((100 * shares.reduce((a, b) => a + b, 0)) / Math.max(1, shares.length)).toFixed(1)} %`;
}
