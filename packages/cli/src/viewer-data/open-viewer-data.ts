// Everything that the viewer shows, as it lies on this machine: the state directory of the user and the haven of a project.
import { openRecoveryStore } from "@jeeves/state";
import type { ViewerData } from "@jeeves/viewer";
import { openTranscriptBook } from "../stats/transcript-book.ts";
import { createBlocksSource } from "./blocks.ts";
import { createHavenSource } from "./haven.ts";
import { openMeterBook } from "./meter-book.ts";
import { createOverviewSource } from "./overview.ts";
import { createRunsSource } from "./runs.ts";
import { createSavingsSource } from "./savings.ts";
import { createTryPruner } from "./try-pruner.ts";

interface ViewerDataOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The project whose haven is shown. */
  readonly cwd: string;
}

/** The data of all views. Nothing is read before it is asked for. */
export function openViewerData({ env, cwd }: ViewerDataOptions): ViewerData {
  const book = openMeterBook(env);
  const transcripts = openTranscriptBook(env);
  return {
    overview: createOverviewSource({ env, transcripts }),
    runs: createRunsSource(env, { book }),
    blocks: createBlocksSource({ store: openRecoveryStore({ env }), book, env }),
    savings: createSavingsSource({ env, book, transcripts }),
    pruner: createTryPruner(env),
    haven: createHavenSource({ env, cwd }),
  };
}
