// Every cut of a run, wherever it was made: a hook in this process, a server, a command under jeeves-exec, in a sandbox or not.
// All of them write to the meter with the run's id; what comes there is passed on here, once.
import { followMeter, type MeterEntry } from "@jeeves/cut";

/** The sums of a run's cuts so far, in tokens. */
export interface Cuts {
  readonly count: number;
  readonly rawTokens: number;
  readonly keptTokens: number;
  /** What was asked for again later, of what had been cut. */
  readonly recoveredTokens: number;
}

interface CutsFollower {
  readonly cuts: Cuts;
  /** Resolves when everything that is in the meter now has been passed on. */
  catchUp(): Promise<void>;
}

/** Follows the meter from its present end on. Nothing is read until `catchUp` is called. */
export async function followCuts(
  env: NodeJS.ProcessEnv,
  { runId, onEntry }: { readonly runId: string; readonly onEntry: (entry: MeterEntry) => void },
): Promise<CutsFollower> {
  const follower = await followMeter(env);
  let cuts: Cuts = { count: 0, rawTokens: 0, keptTokens: 0, recoveredTokens: 0 };
  return {
    get cuts() {
      return cuts;
    },
    async catchUp() {
      for (const entry of await follower.readNew()) {
        if (entry.run_id !== runId) continue;
        if (entry.kind === "cut") {
          cuts = {
            ...cuts,
            count: cuts.count + 1,
            rawTokens: cuts.rawTokens + entry.raw_tokens,
            keptTokens: cuts.keptTokens + entry.kept_tokens,
          };
        }
        if (entry.kind === "recovered") {
          cuts = { ...cuts, recoveredTokens: cuts.recoveredTokens + entry.raw_tokens };
        }
        onEntry(entry);
      }
    },
  };
}
