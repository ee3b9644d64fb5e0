// Which file an import means: the one whose path ends like the words of the import, nearest to the importer. A guess
// for every language at once; what cannot be told apart is left out.
import type { Breath } from "../runtime/breathe.ts";

interface Importing {
  readonly path: string;
  readonly scanned: { readonly imports: readonly string[] };
}

export async function linkImports(files: readonly Importing[], breathe: Breath): Promise<number[][]> {
  const segments = files.map(({ path }) =>
    path
      .replace(/\.[^./]+$/, "")
      .replace(/\/(?:__init__|index|mod)$/, "")
      .split("/"),
  );
  const byName = new Map<string, number[]>();
  segments.forEach((parts, f) => {
    const name = parts.at(-1) ?? "";
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [f]);
    else known.push(f);
  });
  const links: number[][] = [];
  for (let f = 0; f < files.length; f++) {
    const targets = new Set<number>();
    for (const words of files[f]?.scanned.imports ?? []) {
      const target = resolveImport(words, f, { segments, byName });
      if (target !== undefined) targets.add(target);
    }
    links.push([...targets]);
    await breathe();
  }
  return links;
}

interface Tree {
  readonly segments: readonly (readonly string[])[];
  readonly byName: ReadonlyMap<string, readonly number[]>;
}

// A name that stands for very many files (`mod`, `utils`) tells little, and would cost time.
const MAX_NAMESAKES = 200;

function resolveImport(words: string, from: number, { segments, byName }: Tree): number | undefined {
  const wanted = words
    .replace(/^[./@~]+/, "")
    .replace(/\.(?:[cm]?[jt]sx?|py|h|hpp)$/, "")
    .split(/[./]|::/)
    .filter((part) => part !== "");
  const candidates = byName.get(wanted.at(-1) ?? "") ?? [];
  if (wanted.length === 0 || candidates.length > MAX_NAMESAKES) return undefined;
  const here = (segments[from] ?? []).slice(0, -1);
  let best: number | undefined;
  let bestScore = 0;
  for (const candidate of candidates) {
    if (candidate === from) continue;
    const path = segments[candidate] ?? [];
    let tail = 0;
    while (
      tail < wanted.length &&
      tail < path.length &&
      path[path.length - 1 - tail] === wanted[wanted.length - 1 - tail]
    )
      tail++;
    let shared = 0;
    while (shared < here.length && here[shared] === path[shared]) shared++;
    const isNear = words.startsWith(".") && shared === here.length;
    if (tail < wanted.length && tail < 2 && !isNear) continue;
    const score = tail * 10 + shared;
    if (score > bestScore) {
      bestScore = score;
      best = candidate;
    }
  }
  return best;
}
