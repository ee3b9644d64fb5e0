// Stored cuts for the viewer: by id and from the store alone. A text is read once and kept for a moment, because a page
// asks for its lines window by window.
import type { MeterEntry } from "@jeeves/intercept";
import { estimateTokens, type LineTable, lineAt, splitLines } from "@jeeves/prune";
import { isPruneId, type RecoveryStore, type StoredText } from "@jeeves/state";
import type { BlocksSource, CutBlock, Recovery, WhyRun } from "@jeeves/viewer";
import type { MeterBook } from "./meter-book.ts";

const MAX_HELD_CHARS = 64 * 1024 * 1024;
const MAX_LINE_CHARS = 4_000;
const MAX_ANSWER_CHARS = 4_000_000;

interface Held {
  readonly stored: StoredText;
  readonly table: LineTable;
}

export function createBlocksSource({
  store,
  book,
}: {
  readonly store: RecoveryStore;
  readonly book: MeterBook;
}): BlocksSource {
  const held = new Map<string, Held>();

  async function get(pruneId: string): Promise<Held | undefined> {
    if (!isPruneId(pruneId)) return undefined;
    const known = held.get(pruneId);
    if (known !== undefined) return known;
    const stored = await store.get(pruneId);
    if (stored === undefined) return undefined;
    const found = { stored, table: splitLines(stored.text) };
    held.set(pruneId, found);
    let chars = [...held.values()].reduce((sum, each) => sum + each.stored.text.length, 0);
    for (const [oldest, { stored: old }] of held) {
      if (chars <= MAX_HELD_CHARS || oldest === pruneId) break;
      held.delete(oldest);
      chars -= old.text.length;
    }
    return found;
  }

  return {
    async cut(pruneId) {
      // Asked anew each time: an entry that expired since is said to have expired.
      held.delete(pruneId);
      const found = await get(pruneId);
      if (found === undefined) return undefined;
      const { stored, table } = found;
      const entries = (await book.entries()).filter((entry) => entry.prune_id === pruneId);
      const made = entries.find(({ kind }) => kind === "cut" || kind === "shadow");
      const blocks = readTriples(stored.cut, "blocks", table.count);
      const why = readTriples(stored.cut, "why", table.count) ?? [];
      const rawTokens = made?.raw_tokens ?? estimateTokens(stored.text);
      return {
        pruneId,
        storedAt: stored.storedAt,
        ...optional("tool", made?.tool ?? stored.source?.tool),
        ...optional("path", stored.source?.path ?? stored.source?.label ?? made?.what),
        ...optional("focus", made?.focus),
        ...optional("client", made?.client),
        lineCount: table.count,
        bytes: Buffer.byteLength(stored.text, "utf8"),
        rawTokens,
        keptTokens: made?.kept_tokens ?? keptTokensOf(table, blocks ?? []),
        ...(blocks === undefined
          ? {}
          : { blocks: blocks.map(([from, to, label]): CutBlock => ({ from, to, ...optional("label", label) })) }),
        why: why.map(([from, to, reason]): WhyRun => ({ from, to, why: reason })),
        recoveries: entries.filter(({ kind }) => kind === "recovered").map(toRecovery),
      };
    },
    async lines(pruneId, { from, to }) {
      const found = await get(pruneId);
      if (found === undefined) return undefined;
      const lines: string[] = [];
      let chars = 0;
      for (let line = from; line <= Math.min(to, found.table.count) && chars < MAX_ANSWER_CHARS; line++) {
        const text = lineAt(found.table, line - 1);
        const over = text.length - MAX_LINE_CHARS;
        lines.push(over > 0 ? `${text.slice(0, MAX_LINE_CHARS)}… [${over} more characters]` : text);
        chars += Math.min(text.length, MAX_LINE_CHARS);
      }
      return { from, lines };
    },
  };
}

function optional<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
  return value === undefined || value === "" ? {} : ({ [name]: value } as { [key in Name]?: string });
}

/** `[first, last, words]`, in order and within the text; whoever wrote them was not necessarily us. */
function readTriples(cut: unknown, name: string, lineCount: number): [number, number, string][] | undefined {
  if (typeof cut !== "object" || cut === null) return undefined;
  const list = new Map(Object.entries(cut)).get(name);
  if (!Array.isArray(list)) return undefined;
  const triples: [number, number, string][] = [];
  let next = 1;
  for (const item of list) {
    if (!Array.isArray(item)) continue;
    const [from, to, words]: unknown[] = item;
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) continue;
    const [first, last] = [Number(from), Number(to)];
    if (first < next || last < first || last > lineCount) continue;
    triples.push([first, last, typeof words === "string" ? words : ""]);
    next = last + 1;
  }
  return triples;
}

function keptTokensOf(table: LineTable, blocks: readonly (readonly [number, number, string])[]): number {
  const kept: string[] = [];
  let line = 1;
  for (const [from, to] of [...blocks, [table.count + 1, table.count + 1] as const]) {
    for (; line < from; line++) kept.push(lineAt(table, line - 1));
    line = to + 1;
  }
  return estimateTokens(kept.join("\n"));
}

function toRecovery(entry: MeterEntry): Recovery {
  // `what` names the lines, as `lines 12-40, 60-64`; where a file was read again instead, it names the file.
  const words = /^lines ([\d, -]+)$/.exec(entry.what ?? "")?.[1] ?? "";
  const ranges = [...words.matchAll(/(\d{1,9})-(\d{1,9})/g)].map(([, from, to]) => ({
    from: Number(from),
    to: Number(to),
  }));
  return { ts: entry.ts, tokens: entry.raw_tokens, ranges };
}
