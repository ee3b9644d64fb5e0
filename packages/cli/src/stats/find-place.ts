// Which call of a transcript an entry of the meter belongs to. The prune id tells where it is shown or asked for; without
// one, the result that came nearest in time. Pure.
import type { MeterEntry } from "@jeeves/cut";
import type { ToolResult } from "@jeeves/intercept";
import type { CountedThread } from "./sessions.ts";

/** The call whose tools gave a result. */
export interface Place {
  readonly thread: CountedThread;
  readonly call: number;
  /** The tool, as the client calls it. */
  readonly tool: string;
}

/** undefined where the session's transcript has no result at all. */
export function findPlace(threads: readonly CountedThread[], entry: MeterEntry): Place | undefined {
  const atMs = Date.parse(entry.ts);
  let best: { readonly place: Place; readonly rank: number; readonly apartMs: number } | undefined;
  for (const thread of threads)
    thread.calls.forEach(({ results }, call) => {
      for (const result of results) {
        const rank = rankOf(result, entry);
        const apartMs = Math.abs(result.atMs - atMs);
        if (best === undefined || rank > best.rank || (rank === best.rank && apartMs < best.apartMs))
          best = { place: { thread, call, tool: result.tool }, rank, apartMs };
      }
    });
  return best?.place;
}

/** A way back is asked for by its id, a cut shows it; the name of the tool is better than nothing. */
function rankOf({ tool, shows, asksFor }: ToolResult, entry: MeterEntry): number {
  const isNamed = tool === entry.tool || tool.endsWith(`__${entry.tool}`) ? 1 : 0;
  const id = entry.prune_id;
  if (id === undefined) return isNamed;
  const isCut = entry.kind === "cut" || entry.kind === "shadow";
  if (isCut) return (shows.includes(id) && !asksFor.includes(id) ? 2 : 0) + isNamed;
  return (asksFor.includes(id) ? 2 : 0) + isNamed;
}
