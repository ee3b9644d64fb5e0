// What a cut would have been worth in a recorded run: the tokens that it saves at the price of a token that enters there,
// less one more turn if the agent used a dropped line later. That turn reads the prompt once more, and the question and
// the dropped blocks with used lines enter the context.

const MARKER_TOKENS = 8;
const LAST_LINE_TOKENS = 25;
const QUESTION_TOKENS = 120;

/** undefined where the text would not get shorter. */
export function judge(one, kept, { ctx, V, rates }) {
  const lines = one.text.split("\n");
  // Characters stand for tokens within one text; together they are what was recorded.
  const perChar = one.raw_tokens / (one.text.length + 1);
  const firstUse = new Map();
  for (const [from, to, , call] of one.used) for (let line = from - 1; line < to; line++) firstUse.set(line, call);
  let saved = -LAST_LINE_TOKENS;
  let back = 0;
  let lost = 0;
  let askedAt = Number.POSITIVE_INFINITY;
  for (let from = 0; from < lines.length; from++) {
    if (isKept(from)) continue;
    let tokens = 0;
    let isUsed = false;
    let end = from;
    for (; end < lines.length && !isKept(end); end++) {
      tokens += (lines[end].length + 1) * perChar;
      if (!firstUse.has(end)) continue;
      isUsed = true;
      lost++;
      askedAt = Math.min(askedAt, firstUse.get(end));
    }
    saved += tokens - MARKER_TOKENS;
    if (isUsed) back += tokens;
    from = end;
  }
  if (saved <= 0) return undefined;
  const isAsked = askedAt < Number.POSITIVE_INFINITY;
  const paid = isAsked
    ? rates.read * ctx[askedAt] +
      rates.output * QUESTION_TOKENS +
      (QUESTION_TOKENS + back) * V[Math.max(0, askedAt - 1)]
    : 0;
  return { saved, paid, isAsked, lost, net: saved * one.V - paid };

  // The line behind a final line end is none of the text's.
  function isKept(line) {
    return line >= kept.length || kept[line] !== 0;
  }
}
