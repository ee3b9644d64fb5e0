// What a cut would have been worth in its session: the tokens that it saves at the price of a token that enters there, less
// what it costs when a line that it dropped is used later. Then the agent asks one turn early: it reads its context once
// more, writes a question, and the question and the dropped blocks with such lines enter there.
const QUESTION_TOKENS = 120;
const MARKER_TOKENS = 8;
const LAST_LINE_TOKENS = 25;
/** Clients count up to so many tokens for one that we estimate. */
const MAX_SCALE = 1.6;

/** How a session's tokens are counted and priced. */
export function createJudge({ calls, priced }, { estimateTokens, worthAfter }) {
  const worths = new Map();
  const worth = (call) => {
    if (!worths.has(call)) worths.set(call, worthAfter(priced, call));
    return worths.get(call);
  };
  /** Recorded tokens for one that we estimate, of what came in behind a call. */
  const scale = (call) => {
    const [before, after, next] = [priced[call], priced[call + 1], calls[call + 1]];
    if (before === undefined || after === undefined || after.isFirst) return 1;
    const results = Object.values(next.results).reduce((sum, tokens) => sum + tokens, 0);
    const added = after.contextTokens - before.contextTokens;
    const known = results + next.promptTokens + calls[call].output;
    return added <= 0 || known === 0 ? 1 : Math.min(added / known, MAX_SCALE);
  };
  const turn = (call, tokens) => {
    const { rates, contextTokens } = priced[call];
    return (
      rates.read * contextTokens +
      rates.output * QUESTION_TOKENS +
      (QUESTION_TOKENS + tokens) * worth(Math.max(0, call - 1))
    );
  };

  return {
    tokensOf: estimateTokens,
    /** `isKept` and `uses` by line; `saved` in estimated tokens. */
    judge({ lines, isKept, uses, saved, call }) {
      const factor = scale(call);
      const blocks = blocksOf(lines, isKept, uses, (text) => estimateTokens(text) * factor);
      const lost = blocks.filter(({ usedAt }) => usedAt !== undefined);
      const gross = saved * factor * worth(call);
      if (lost.length === 0) return { gross, once: gross, each: gross, askedAt: undefined, back: 0 };
      const first = lost.reduce((least, { usedAt }) => Math.min(least, usedAt), Number.POSITIVE_INFINITY);
      const back = lost.reduce((sum, { tokens }) => sum + tokens, 0);
      const turns = new Map();
      for (const { usedAt, tokens } of lost) turns.set(usedAt, (turns.get(usedAt) ?? 0) + tokens);
      const each = [...turns].reduce((sum, [at, tokens]) => sum + turn(at, tokens), 0);
      return { gross, once: gross - turn(first, back), each: gross - each, askedAt: first, back };
    },
    /** What a cut that keeps exactly the used lines would be worth. */
    perfect({ lines, uses, tokens, call }) {
      const kept = lines.filter((_, index) => uses[index] >= 0).join("\n");
      const gaps = blocksOf(
        lines,
        (index) => uses[index] >= 0,
        uses,
        () => 0,
      ).length;
      const saved = tokens - estimateTokens(kept) - gaps * MARKER_TOKENS - LAST_LINE_TOKENS;
      return Math.max(0, saved * scale(call) * worth(call));
    },
  };
}

/** Runs of lines that are not kept, and the first call that used one of theirs. */
function blocksOf(lines, isKept, uses, sizeOf) {
  const blocks = [];
  for (let index = 0; index < lines.length; index++) {
    if (isKept(index)) continue;
    let end = index;
    let usedAt;
    for (; end < lines.length && !isKept(end); end++)
      if (uses[end] >= 0) usedAt = Math.min(usedAt ?? uses[end], uses[end]);
    blocks.push({ usedAt, tokens: usedAt === undefined ? 0 : sizeOf(lines.slice(index, end).join("\n")) });
    index = end - 1;
  }
  return blocks;
}
