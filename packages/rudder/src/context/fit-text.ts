// A text cut to a number of tokens: by the prune engine with the reader's focus, and where that is not enough, at its
// end. A notice of each cut names the command that shows the rest.
import { estimateTokens, prune, renderPruned, shortMarker } from "@jeeves/prune";

export interface FitOptions {
  readonly tokens: number;
  readonly focus: string;
  /** The command that shows all of it. */
  readonly rest: string;
}

const TRIES = 5;

/** The text itself where it has at most so many tokens (as we estimate them), else a cut one with its notice. */
export async function fitText(text: string, options: FitOptions): Promise<string> {
  if (estimateTokens(text) <= options.tokens) return text;
  const notice = `[rest: ${options.rest}]`;
  const room = options.tokens - estimateTokens(notice) - 2;
  let keep = Math.max(0.01, room / estimateTokens(text));
  for (let attempt = 0; attempt < TRIES && room > 0; attempt++) {
    const pruned = await prune(text, { focus: options.focus, kind: "docs", amount: { mode: "share", keep } });
    const shown = renderPruned(text, pruned, { marker: shortMarker });
    if (pruned.status === "pruned" && estimateTokens(shown) <= room) return `${shown.trimEnd()}\n${notice}`;
    keep *= 0.75;
  }
  return cutEnd(text, { ...options, notice });
}

/** As many whole lines as fit; of a first line that is too long, as many characters. */
export function cutEnd(text: string, options: { readonly tokens: number; readonly notice: string }): string {
  if (estimateTokens(text) <= options.tokens) return text;
  const room = options.tokens - estimateTokens(options.notice) - 2;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (estimateTokens(characters.slice(0, middle).join("")) <= room) low = middle;
    else high = middle - 1;
  }
  const kept = characters.slice(0, low).join("");
  const lineEnd = kept.lastIndexOf("\n");
  const whole = lineEnd > 0 ? kept.slice(0, lineEnd) : kept;
  return whole === "" ? options.notice : `${whole.trimEnd()}\n${options.notice}`;
}

/** What each part may have of a budget: small parts all they need, the rest shared evenly among the large ones. */
export function shareTokens(sizes: readonly number[], budget: number): number[] {
  const shares = sizes.map(() => 0);
  const order = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size || a.index - b.index);
  let left = Math.max(0, budget);
  order.forEach(({ size, index }, place) => {
    const share = Math.min(size, Math.floor(left / (order.length - place)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}
