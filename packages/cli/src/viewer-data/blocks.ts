// Stored cuts for the viewer: by id and from the store alone. A text is read once and kept for a moment, because a page
// asks for its lines window by window.
import { isPruneId } from "@jeeves/base";
import { type CutRecord, estimateTokens, lineAsShown, type MeterEntry, parseCutRecord, splitLines } from "@jeeves/cut";
import type { LineTable } from "@jeeves/prune";
import type { RecoveryStore, StoredText } from "@jeeves/state";
import type { BlocksSource, CutBlock, Recovery, WhyRun } from "@jeeves/viewer";
import type { MeterBook } from "./meter-book.ts";
import { toSharedCut } from "./share-cut.ts";

const MAX_HELD_CHARS = 64 * 1024 * 1024;
const MAX_LINE_CHARS = 4_000;
const MAX_ANSWER_CHARS = 4_000_000;

interface Held {
  readonly stored: StoredText;
  readonly table: LineTable;
}

/** Stored cuts by their id; undefined for an id that is unknown or has expired. */
export function createBlocksSource({
  store,
  book,
  env,
}: {
  readonly env: NodeJS.ProcessEnv;
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

  async function cut(pruneId: string) {
    // Read from the store each time, so that an entry that has expired is not shown.
    held.delete(pruneId);
    const found = await get(pruneId);
    if (found === undefined) return undefined;
    const { stored, table } = found;
    const entries = (await book.entries()).filter((entry) => entry.prune_id === pruneId);
    const made = entries.find(({ kind }) => kind === "cut" || kind === "shadow");
    const record = parseCutRecord(stored.cut, table.count, stored.text.length);
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
      keptTokens: made?.kept_tokens ?? keptTokensOf(table, record ?? { blocks: [] }),
      ...(record === undefined ? { why: [] } : toRuns(record)),
      recoveries: entries.filter(({ kind }) => kind === "recovered").map(toRecovery),
    };
  }

  return {
    cut,
    async lines(pruneId, { from, to }) {
      const found = await get(pruneId);
      if (found === undefined) return undefined;
      const lines: string[] = [];
      const { text: raw, cut } = found.stored;
      const record = parseCutRecord(cut, found.table.count, raw.length) ?? {};
      let chars = 0;
      for (let line = from; line <= Math.min(to, found.table.count) && chars < MAX_ANSWER_CHARS; line++) {
        const text = lineAsShown(found.table, line - 1, record);
        const over = text.length - MAX_LINE_CHARS;
        lines.push(over > 0 ? `${text.slice(0, MAX_LINE_CHARS)}… [${over} more characters]` : text);
        chars += Math.min(text.length, MAX_LINE_CHARS);
      }
      return { from, lines };
    },
    async share(pruneId) {
      const [view, found] = [await cut(pruneId), await get(pruneId)];
      if (view === undefined || found === undefined) return undefined;
      return { markdown: await toSharedCut(view, found.table, env) };
    },
  };
}

/** A record as the page has it. */
export function toRuns({ blocks, why }: CutRecord): { readonly blocks: CutBlock[]; readonly why: WhyRun[] } {
  return {
    blocks: blocks.map(([from, to, label]) => ({ from, to, ...optional("label", label) })),
    why: why.map(([from, to, reason]) => ({ from, to, why: reason })),
  };
}

function optional<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
  return value === undefined || value === "" ? {} : ({ [name]: value } as { [key in Name]?: string });
}

function keptTokensOf(table: LineTable, record: Pick<CutRecord, "blocks" | "inside">): number {
  const kept: string[] = [];
  let line = 1;
  for (const [from, to] of [...record.blocks, [table.count + 1, table.count + 1] as const]) {
    for (; line < from; line++) kept.push(lineAsShown(table, line - 1, record));
    line = to + 1;
  }
  return estimateTokens(kept.join("\n"));
}

function toRecovery(entry: MeterEntry): Recovery {
  // `what` names the lines, as `lines 12-40, 60-64`; where a file was read again instead, it names the file.
  // Of characters the page has no lines to mark.
  const words = /^lines ([\d, -]+)$/.exec(entry.what ?? "")?.[1] ?? "";
  const ranges = [...words.matchAll(/(\d{1,9})-(\d{1,9})/g)].map(([, from, to]) => ({
    from: Number(from),
    to: Number(to),
  }));
  const by = entry.by === undefined ? {} : { by: entry.by };
  return { ts: entry.ts, tokens: entry.raw_tokens, ranges, ...by };
}
