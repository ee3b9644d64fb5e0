// Which runs the list shows: client sessions without a call through us are of no interest, and are folded.
import type { RunSummary } from "../../wire.ts";

/** The shown runs, and those that can be folded; none where there would be nothing else. */
export function foldQuiet(
  runs: readonly RunSummary[],
  { isUnfolded, open }: { readonly isUnfolded: boolean; readonly open: string | undefined },
): { readonly shown: readonly RunSummary[]; readonly quiet: readonly RunSummary[] } {
  const quiet = runs.filter(({ id, status, calls }) => status === "session" && calls === 0 && id !== open);
  if (quiet.length === runs.length) return { shown: runs, quiet: [] };
  return { shown: isUnfolded ? runs : runs.filter((run) => !quiet.includes(run)), quiet };
}
