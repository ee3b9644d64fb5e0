// Results of agents' tools with the lines that they used later (fields: train/README.md), as cases for the ranker: each
// with the focus that a hook has, and what the result was used for.
import { readFileSync } from "node:fs";

const MAX_PART_CHARS = 1_000;
const PARTS = ["asked", "user", "thought"];
/** What a result is used for, by its class. */
export const USE_OF_CLASS = {
  read: "read",
  "read-range": "read",
  search: "search",
  test: "run",
  run: "run",
  git: "run",
  other: "run",
};

/** Cases with a used line, at most so many of each set and class, spread evenly. */
export function readUses(file, { perClass = Infinity, classes = Object.keys(USE_OF_CLASS), parts = PARTS } = {}) {
  const byGroup = new Map();
  for (const line of linesOf(readFileSync(file))) {
    const one = JSON.parse(line);
    if (one.used.length === 0 || !classes.includes(one.class)) continue;
    const group = `${one.class} ${one.set === "mini-swe" ? "mini-swe" : one.repo}`;
    if (!byGroup.has(group)) byGroup.set(group, []);
    byGroup.get(group).push(one);
  }
  // Of ranges there are most, and an agent that asks for lines wants them.
  const most = (all) => (all[0].class === "read-range" ? Math.ceil(perClass / 4) : perClass);
  return [...byGroup.values()].flatMap((all) => spread(all, most(all)).map((one) => asCase(one, parts)));
}

/** A file of cases can be longer than a string may be. */
function* linesOf(bytes) {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const to = end < 0 ? bytes.length : end;
    if (to > from) yield bytes.toString("utf8", from, to);
    from = to + 1;
  }
}

function spread(list, count) {
  if (list.length <= count) return list;
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]);
}

function asCase(one, parts) {
  return {
    ...one,
    focus: focusOf(one, parts),
    use: USE_OF_CLASS[one.class],
    gold: one.used.map(([from, to]) => [from, to]),
  };
}

/** As the hooks make it: the call's own words, what the user asked, what the assistant said. */
function focusOf({ focus, tool }, parts) {
  return parts
    .filter((name) => !(name === "asked" && tool === "Read"))
    .map((name) => (focus[name] ?? "").trim().slice(0, MAX_PART_CHARS))
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, parts.length > PARTS.length ? 3 * MAX_PART_CHARS : 2 * MAX_PART_CHARS);
}
