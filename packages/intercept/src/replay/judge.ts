// What a cut would have been worth in its session: the tokens that it saves, at the price of a token that enters there, less
// the cost where a dropped line is used later. The agent then takes one turn more: it reads its context again, writes a
// question, and the question and the dropped blocks with such lines enter the context.
import { estimateTokens, worthAfter } from "@jeeves/cut";
import type { RecordedSession } from "./read-session.ts";

const QUESTION_TOKENS = 120;
const MARKER_TOKENS = 8;
const LAST_LINE_TOKENS = 25;
/** Clients count up to so many tokens for each that we estimate. */
const MAX_SCALE = 1.6;

/** A result: its lines, and by line the first call that used it, -1 for none. */
interface UsedLines {
  readonly lines: readonly string[];
  readonly uses: Int32Array;
  /** The call of the model that asked for it. */
  readonly call: number;
}

/** A cut of it. `saved` in estimated tokens. */
interface JudgedCut extends UsedLines {
  readonly saved: number;
  isKept(index: number): boolean;
}

/** What the cut is worth, in plain input tokens. */
export interface Verdict {
  readonly gross: number;
  /** Less one turn for all lost lines together (`once`), or a turn for each call that used some (`each`). */
  readonly once: number;
  readonly each: number;
  /** The first call that used a lost line, and the tokens that it brings back. */
  readonly askedAt: number | undefined;
  readonly back: number;
}

interface Block {
  readonly usedAt: number | undefined;
  readonly tokens: number;
}

/** How a session's tokens are counted and priced. */
export function createJudge({ calls, priced }: RecordedSession) {
  const worths = new Map<number, number>();
  const worth = (call: number): number => {
    const found = worths.get(call) ?? worthAfter(priced, call);
    worths.set(call, found);
    return found;
  };
  /** Recorded tokens per estimated token, for what entered the context after a call. */
  const scale = (call: number): number => {
    const [before, after, now, next] = [priced[call], priced[call + 1], calls[call], calls[call + 1]];
    if (before === undefined || after === undefined || now === undefined || next === undefined || after.isFirst)
      return 1;
    const results = Object.values(next.results).reduce((sum, tokens) => sum + tokens, 0);
    const added = after.contextTokens - before.contextTokens;
    const known = results + next.promptTokens + now.output;
    return added <= 0 || known === 0 ? 1 : Math.min(added / known, MAX_SCALE);
  };
  const turn = (call: number, tokens: number): number => {
    const found = priced[call];
    if (found === undefined) return 0;
    const { rates, contextTokens } = found;
    const entering = (QUESTION_TOKENS + tokens) * worth(Math.max(0, call - 1));
    return rates.read * contextTokens + rates.output * QUESTION_TOKENS + entering;
  };

  return {
    judge({ lines, isKept, uses, saved, call }: JudgedCut): Verdict {
      const factor = scale(call);
      const blocks = blocksOf({ lines, uses, isKept, sizeOf: (text) => estimateTokens(text) * factor });
      const lost = blocks.filter((block) => block.usedAt !== undefined);
      const gross = saved * factor * worth(call);
      if (lost.length === 0) return { gross, once: gross, each: gross, askedAt: undefined, back: 0 };
      const turns = new Map<number, number>();
      for (const { usedAt = 0, tokens } of lost) turns.set(usedAt, (turns.get(usedAt) ?? 0) + tokens);
      const first = Math.min(...turns.keys());
      const back = lost.reduce((sum, { tokens }) => sum + tokens, 0);
      const each = [...turns].reduce((sum, [at, tokens]) => sum + turn(at, tokens), 0);
      return { gross, once: gross - turn(first, back), each: gross - each, askedAt: first, back };
    },
    /** What a cut that keeps exactly the used lines would be worth. */
    perfect({ lines, uses, tokens, call }: UsedLines & { readonly tokens: number }): number {
      const isKept = (index: number) => (uses[index] ?? -1) >= 0;
      const kept = lines.filter((_, index) => isKept(index)).join("\n");
      const gaps = blocksOf({ lines, uses, isKept, sizeOf: () => 0 }).length;
      const saved = tokens - estimateTokens(kept) - gaps * MARKER_TOKENS - LAST_LINE_TOKENS;
      return Math.max(0, saved * scale(call) * worth(call));
    },
  };
}

/** Blocks of dropped lines, with the first call that used one of them. */
function blocksOf({
  lines,
  uses,
  isKept,
  sizeOf,
}: Omit<UsedLines, "call"> & {
  isKept(index: number): boolean;
  sizeOf(text: string): number;
}): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (isKept(index)) continue;
    let end = index;
    let usedAt: number | undefined;
    for (; end < lines.length && !isKept(end); end++) {
      const use = uses[end] ?? -1;
      if (use >= 0) usedAt = Math.min(usedAt ?? use, use);
    }
    blocks.push({ usedAt, tokens: usedAt === undefined ? 0 : sizeOf(lines.slice(index, end).join("\n")) });
    index = end - 1;
  }
  return blocks;
}
