// What a tool hands over to be pruned, and what comes back: the seam between the tools and the two engines.
import type { Search } from "@jeeves/intercept";
import type { ToolCall } from "@jeeves/kit/mcp";
import type { Pruned, SourceKind } from "@jeeves/prune";
import type { TextSource } from "@jeeves/state";
import type { PruningMetadata } from "./pruning.ts";

export interface RawOutput {
  readonly tool: "read" | "bash" | "grep";
  readonly args: unknown;
  readonly question: string | undefined;
  /** J-59: what a remote pruner is sent, and what `raw_bytes` measures. */
  readonly code: string;
  /** the one text that the embedded engine prunes, stores and numbers. */
  readonly text: string;
  /** Line indexes at which a new part of `text` starts (bash: stderr). */
  readonly barriers?: readonly number[];
  readonly kind?: SourceKind;
  /** the output is a list of matches. */
  readonly search?: Search;
  readonly path?: string;
  /** False where the text is not the bytes that were read (invalid UTF-8): never pruned (J-30). */
  readonly exact: boolean;
  /** a remote pruner is never asked about a tool error. */
  readonly isToolError: boolean;
  readonly source: TextSource;
  /** The file can simply be read again by line numbers. */
  readonly isWholeFile?: boolean;
  /** Whether what a remote pruner returned can be applied (grep re-parses it, J-62). */
  readonly canApply?: (text: string) => boolean;
}

export type PruneOutcome =
  /** `aside`: words of ours that go beside the text. */
  | { readonly kind: "raw"; readonly pruning: PruningMetadata; readonly aside?: string }
  | {
      readonly kind: "embedded";
      readonly pruned: Pruned;
      readonly pruneId: string;
      readonly pruning: PruningMetadata;
      /** stands behind the kept lines of a match list. */
      readonly list?: string;
    }
  | {
      readonly kind: "remote";
      readonly text: string;
      readonly pruneId: string | undefined;
      readonly pruning: PruningMetadata;
    };

/** The part of a tool call that pruning needs. */
export type PruneCall = Pick<ToolCall, "signal" | "events" | "client" | "maxResultChars" | "advance">;
