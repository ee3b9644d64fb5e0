// The engine on every large output: how much of it is worth showing where the context is known, its turns are dear and a
// recovery is cheap. A tenth for what the focus asks, and in every longer run of dropped lines a signpost, so that what
// is asked for again is a part and not the whole. A cut is made where the price list says that it pays.

import { render } from "./cutters.mjs";
import { classOf } from "./output-class.mjs";
import { pathsIn } from "./printed-lines.mjs";

const KEEP = 0.1;
const SIGNPOST_LINES = 20;
const FOCUS_STEPS = 3;
const FOCUS_CHARS = 4_000;
const MIN_SAVED_SHARE = 0.25;
/** How often something of a cut output is asked for again, by class: counted on half a. */
const ODDS = { read: 0.62, search: 0.5, "test/build": 0.3, other: 0.5 };
/** What of the dropped text then comes back. */
const BACK = 0.5;
/** In input tokens: a token enters the cache once and is read from it in 25 more turns. */
const CACHE_READ = 0.1;
const TOKEN_COST = 1.25 + 25 * CACHE_READ;
const LAST_LINE = "[rest: recover_text prn_abcdefghijkl]";
const GUTTER = /^\s*\d+\t/;
const DEFINES =
  /^\s*(?:export |public |private |protected |static |async |pub |@)*(?:def|class|func|function|fn|impl|struct|interface|type|enum|trait)\b/;

export function createEveryLarge({ prune, estimateTokens, isDiff, createTreeSitterGrammars }) {
  const grammars = createTreeSitterGrammars();
  let contextTokens = 0;
  let said = [];
  return {
    startRun(prompt) {
      contextTokens = estimateTokens(prompt);
      said = [];
    },
    noteStep({ thought, command }, shown) {
      contextTokens += estimateTokens(`${thought}${command}${shown}`);
      said.push(`${thought}\n${command}`);
    },
    async cut({ thought, command, output }) {
      if (isDiff(output)) return undefined;
      const what = classOf(command);
      const isRead = what === "read";
      const paths = pathsIn(command);
      const lines = output.split("\n");
      const bare = lines.filter((line) => GUTTER.test(line)).length > lines.length * 0.6;
      const words = bare ? lines.map((line) => line.replace(GUTTER, "")) : lines;
      const pruned = await prune(words.join("\n"), {
        focus: [...said.slice(-FOCUS_STEPS), thought, command].join("\n").slice(-FOCUS_CHARS),
        amount: { mode: "share", keep: KEEP },
        grammars,
        ...(isRead && paths.length === 1 ? { path: paths[0] } : {}),
        ...kindOf(what),
      });
      if (pruned.status !== "pruned") return undefined;
      const kept = isRead ? withSignposts(words, pruned.kept) : pruned.kept;
      const shown = `${render(output, kept)}\n${LAST_LINE}`;
      const raw = estimateTokens(output);
      const saved = raw - estimateTokens(shown);
      if (saved < raw * MIN_SAVED_SHARE) return undefined;
      const odds = ODDS[what];
      const gain = saved * (1 - odds * BACK) * TOKEN_COST;
      const risk = odds * contextTokens * CACHE_READ;
      return gain > risk ? { kept, shown } : undefined;
    },
  };
}

function kindOf(what) {
  if (what === "read") return { kind: "code" };
  if (what === "test/build") return { kind: "logs" };
  return what === "search" ? { kind: "matches" } : {};
}

/** One line of every run of dropped lines longer than this: a definition where there is one, else the least indented. */
export function withSignposts(lines, kept, longest = SIGNPOST_LINES) {
  const out = Uint8Array.from(kept);
  for (let i = 0; i < lines.length; i++) {
    if (out[i] !== 0) continue;
    let end = i;
    while (end < lines.length && out[end] === 0) end++;
    for (let from = i; end - from > longest; ) {
      const at = bestSignpost(lines, from + Math.floor(longest / 3), Math.min(end - 2, from + longest));
      if (at === undefined) break;
      out[at] = 1;
      from = at + 1;
    }
    i = end;
  }
  return out;
}

function bestSignpost(lines, from, to) {
  let best;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = from; i < to; i++) {
    if (!/\w{2}/.test(lines[i])) continue;
    const worth = (DEFINES.test(lines[i]) ? 100 : 0) - lines[i].search(/\S/);
    if (worth > most) [best, most] = [i, worth];
  }
  return best;
}
