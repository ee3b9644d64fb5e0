// One cut as the command line makes it: pruned as asked (no gates: a person said so), stored before anything is shown.
import { toCutRecord } from "@jeeves/intercept";
import { type Pruned, prune, type SourceKind } from "@jeeves/prune";
import { createTreeSitterGrammars } from "@jeeves/prune/grammars";
import { createDiskStore } from "@jeeves/state";
import { findProject } from "@jeeves/workspace/project";

export interface CutRequest {
  readonly focus: string;
  readonly path?: string;
  readonly kind?: SourceKind;
  readonly keep?: number;
}

export interface Cut {
  readonly pruned: Pruned;
  readonly pruneId: string;
}

/** Throws StateError where the text cannot be stored: then nothing may be dropped. */
export async function cutText(text: string, request: CutRequest): Promise<Cut> {
  const { focus, path, kind, keep } = request;
  const pruned = await prune(text, {
    focus,
    grammars: createTreeSitterGrammars(),
    amount: keep === undefined ? { mode: "auto" } : { mode: "share", keep },
    ...(path === undefined ? {} : { path }),
    ...(kind === undefined ? {} : { kind }),
  });
  const dir = ownDir();
  const store = createDiskStore({ env: process.env });
  const { pruneId } = await store.put({
    text,
    focus,
    options: { tool: "prune", kind: pruned.kind, keep: keep ?? null },
    source: { tool: "cli", ...(path === undefined ? {} : { path }), ...(dir === undefined ? {} : { dir }) },
    ...(dir === undefined ? {} : { project: await findProject(dir) }),
    cut: toCutRecord(pruned),
  });
  return { pruned, pruneId };
}

/** The directory that the command runs in; undefined where that is gone. */
function ownDir(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
