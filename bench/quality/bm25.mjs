// The yardstick: plain BM25 over subtokens, half on blocks that start at a definition or after a blank line, half on
// lines smoothed over a triangular window. No grammar, no names, no references; what an afternoon's work would give.
const SKIP = new Set(
  (
    "the a an of in on and or to for with is are be by from that this it as at which what how where why does do when not no if can will has have had " +
    "was were between into its their than could should would using use used through during while within each other such any all more most must may might " +
    "about across per via"
  ).split(" "),
);
const START =
  /^\s*(?:@|(?:export|public|private|protected|static|async|pub|def|class|func|function|fn|impl|struct|interface|type|enum|trait)\b)/;
const SUFFIX = /^(.{3,}?)(?:i[sz]ations?|ations?|ingly|ings?|edly|ed|ies|es|s|ly|er|or)$/;
const K = 1.2;
const B = 0.75;
const WINDOW = 8;

function termsOf(text) {
  const terms = [];
  for (const [word] of text.matchAll(/[A-Za-z_]\w*|\d+/g)) {
    const parts = [...word.matchAll(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g)]
      .map(([part]) => part.toLowerCase())
      .filter((part) => part.length > 1);
    for (const part of parts) if (!SKIP.has(part)) terms.push(SUFFIX.exec(part)?.[1] ?? part);
    if (parts.length > 1) terms.push(word.toLowerCase());
  }
  return terms;
}

/** `b`: how much the length of a document counts against it; 0 is not at all. */
function bm25(documents, query, b) {
  const bags = documents.map((terms) => {
    const bag = new Map();
    for (const t of terms) bag.set(t, (bag.get(t) ?? 0) + 1);
    return bag;
  });
  const mean = documents.reduce((sum, d) => sum + d.length, 0) / documents.length || 1;
  const idf = new Map();
  for (const t of query) {
    const df = bags.filter((bag) => bag.has(t)).length;
    idf.set(t, Math.log(1 + (bags.length - df + 0.5) / (df + 0.5)));
  }
  return bags.map((bag, i) => {
    let score = 0;
    for (const [t, weight] of idf) {
      const f = bag.get(t);
      if (f !== undefined) score += (weight * f * (K + 1)) / (f + K * (1 - b + (b * documents[i].length) / mean));
    }
    return score;
  });
}

/** One score per line. */
export function baselineScores(lines, focus) {
  const query = new Set(termsOf(focus));
  const terms = lines.map(termsOf);
  const smooth = new Float64Array(lines.length);
  bm25(terms, query, 0).forEach((score, i) => {
    for (let d = -WINDOW; d <= WINDOW; d++)
      if (score > 0 && i + d >= 0 && i + d < lines.length) smooth[i + d] += score * (1 - Math.abs(d) / (WINDOW + 1));
  });
  const isStart = (line, i) => i === 0 || START.test(line) || (/^\S/.test(line) && lines[i - 1].trim() === "");
  const starts = lines.flatMap((line, i) => (isStart(line, i) ? [i] : []));
  const blocks = starts.map((from, k) => ({ from, to: starts[k + 1] ?? lines.length }));
  const blockScores = bm25(
    blocks.map(({ from, to }) => terms.slice(from, to).flat()),
    query,
    B,
  );
  const max = (values) => values.reduce((a, b) => Math.max(a, b), 0) || 1;
  const perLine = new Float64Array(lines.length);
  for (const [k, { from, to }] of blocks.entries()) perLine.fill(blockScores[k], from, to);
  const [maxSmooth, maxBlock] = [max(smooth), max(blockScores)];
  return lines.map((_, i) => smooth[i] / maxSmooth + perLine[i] / maxBlock);
}
