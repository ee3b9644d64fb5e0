// the same call again within ten minutes means that the first cut was not enough. A server remembers the calls of
// its sessions; a process that lives for one command reads them from the meter. A search is recognised by its call alone,
// because the order of its matches differs from call to call.
import { createHash } from "node:crypto";
import { MAX_WORDS_CHARS, type MeterEntry } from "../meter/meter.ts";

const WINDOW_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

/** What identifies a call. */
interface CallKey {
  /** "" where callers cannot be distinguished: their calls are never repeats. */
  readonly session: string;
  readonly tool: string;
  /** JSON; the same for the same call. */
  readonly args: unknown;
  /** The call is known to be a search. */
  readonly isSearch: boolean;
}

/** Remembers which calls were cut, to recognise repeats. */
export interface Repeats {
  isRepeat(call: CallKey, text: string): boolean;
  /** Whether this very cut was shown already. */
  isShown(pruneId: string): boolean;
  /** Without a text the call is recognised whatever it returns. */
  remember(call: CallKey, text: string | undefined): void;
}

/** Recognises no repeats: for calls such as a command, which is a new run each time. */
export const NO_REPEATS: Repeats = { isRepeat: () => false, isShown: () => false, remember: () => {} };

/** A memory for all sessions of one process: the last 1,000 calls. */
export function createRepeatMemory(now: () => number = () => performance.now()): Repeats {
  const cutAt = new Map<string, number>();
  return {
    isRepeat(call, text) {
      if (call.session === "") return false;
      const at = cutAt.get(keyOf(call, text)) ?? cutAt.get(keyOf(call, undefined));
      return at !== undefined && now() - at < WINDOW_MS;
    },
    isShown: () => false,
    remember(call, text) {
      if (call.session === "") return;
      const key = keyOf(call, text);
      cutAt.delete(key);
      cutAt.set(key, now());
      const oldest = cutAt.keys().next();
      if (cutAt.size > MAX_REMEMBERED && !oldest.done) cutAt.delete(oldest.value);
    },
  };
}

function keyOf({ session, tool, args }: CallKey, text: string | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([session, tool, args, text === undefined ? "call" : "text"]))
    .update(text ?? "")
    .digest("base64");
}

/**
 * The repeats of a command by a session's entries in the meter; `what` and `dir` identify the command. Remembers
 * nothing.
 */
export function repeatsInMeter(
  history: readonly MeterEntry[],
  { what, dir, now = Date.now }: { readonly what: string; readonly dir: string; readonly now?: () => number },
): Repeats {
  const since = now() - WINDOW_MS;
  const cuts = history.filter(({ kind, ts }) => kind === "cut" && Date.parse(ts) > since);
  const words = what.slice(0, MAX_WORDS_CHARS);
  return {
    isRepeat: ({ tool, isSearch }) =>
      isSearch && cuts.some((entry) => entry.tool === tool && entry.what === words && entry.project === dir),
    isShown: (pruneId) => cuts.some((entry) => entry.prune_id === pruneId),
    remember: () => {},
  };
}
