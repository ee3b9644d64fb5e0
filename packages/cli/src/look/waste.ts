// What the transcripts of a period show without any replay: files that came into a context twice, and failures that the
// client had cut before the model saw them.
import { CLIENTS } from "@jeeves/base";
import { type Engine, splitLines, WHY } from "@jeeves/cut";
import type { CutFailure, Overview, ReadAgain } from "@jeeves/viewer";
import type { ClientSession, CountedThread } from "../stats/sessions.ts";

/** The client's own line: that it failed, and nothing about why. */
const EXIT_CODE = /^(?:Exit code:? |Process exited with code )-?\d+\n/gm;
const MAX_WORST = 5;
const MAX_NEWEST = 5;
const FAILURE_WHYS = new Set((["error", "mention"] as const).map((why) => WHY.indexOf(why) + 1));

/** Reads that gave what the same context had been given before, word for word. */
export function findReadAgain(sessions: readonly ClientSession[]): Overview["readAgain"] {
  const byFile = new Map<string, { reads: number; tokens: number }>();
  for (const { threads } of sessions)
    for (const thread of threads)
      for (const { path, tokens } of repeatsIn(thread)) {
        const sums = byFile.get(path) ?? { reads: 0, tokens: 0 };
        byFile.set(path, sums);
        sums.reads++;
        sums.tokens += tokens;
      }
  const worst = [...byFile]
    .map(([path, sums]): ReadAgain => ({ path, ...sums }))
    .sort((a, b) => b.tokens - a.tokens || (a.path < b.path ? -1 : 1));
  return {
    files: worst.length,
    reads: worst.reduce((sum, { reads }) => sum + reads, 0),
    tokens: worst.reduce((sum, { tokens }) => sum + tokens, 0),
    worst: worst.slice(0, MAX_WORST),
  };
}

function repeatsIn(thread: CountedThread): { readonly path: string; readonly tokens: number }[] {
  const known = new Set<string>();
  return thread.calls.flatMap(({ isFirst, results }, index) => {
    // A new context has nothing of the one before.
    if (isFirst) known.clear();
    return results.flatMap(({ path, digest, tokens, isError }) => {
      if (path === undefined || digest === undefined || isError) return [];
      const key = `${digest} ${path}`;
      const isAgain = known.has(key);
      known.add(key);
      return isAgain && thread.isCounted(index) ? [{ path, tokens }] : [];
    });
  });
}

/** Failing commands that the client had cut. Of each, the engine looks whether what was left shows a failure. */
export async function findCutFailures(
  sessions: readonly ClientSession[],
  engine: Engine,
): Promise<Overview["cutFailures"]> {
  const found: CutFailure[] = [];
  for (const { client, id, threads } of sessions)
    for (const thread of threads)
      for (const [index, { results }] of thread.calls.entries())
        for (const { cutFailure, tool, atMs } of thread.isCounted(index) ? results : []) {
          if (cutFailure === undefined) continue;
          const title = CLIENTS.find((traits) => traits.id === client)?.title ?? client;
          const at = new Date(atMs).toISOString();
          found.push({ client: title, session: id, at, tool, isBlind: !(await showsFailure(cutFailure, engine)) });
        }
  const newest = found.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_NEWEST);
  return { count: found.length, blind: found.filter(({ isBlind }) => isBlind).length, newest };
}

/** Whether the text shows a failure; true where the engine cannot tell, so that this is not counted as a loss. */
async function showsFailure(text: string, engine: Engine): Promise<boolean> {
  const asked = { focus: "", kind: "logs", amount: { mode: "share", keep: 0 } } as const;
  const pruned = await engine.prune(splitLines(text.replace(EXIT_CODE, "")), {
    ...asked,
    signal: new AbortController().signal,
  });
  return "failed" in pruned || pruned.status !== "pruned" || pruned.kept.some((why) => FAILURE_WHYS.has(why));
}
