// The bodies that may answer, best first: the best files are read through the shared budget, scored by the engine
// and ranked together; one hop follows what the best bodies call into another file. Tests and docs answer only where they
// are asked for or where there is nothing else.
import { type Grammars, scoreLines } from "@jeeves/prune";
import type { LocatedFile } from "../roles/locator.ts";
import type { ResearchRoot } from "../roots.ts";
import type { Reader } from "../runtime/reader.ts";
import type { Question } from "../words/question.ts";
import type { AskedFile, AskedQuestion } from "./body-signals.ts";
import { callsOf, type RankedBody, rankBodies } from "./choose-bodies.ts";

/** `loadGrammars` may give undefined: then scopes are found without a parser. */
interface FindBodiesOptions {
  readonly reader: Reader;
  readonly signal: AbortSignal;
  readonly loadGrammars: () => Promise<Grammars | undefined>;
}

const MAX_FILES = 10;
const MAX_HOPS = 2;
const CALLERS = 2;
const MAX_SCORED_CHARS = 400_000;
const MAX_FOCUS_CHARS = 1_000;

/** Reads at most ten files, and two more that define what the best bodies call. Empty where none of them could be read. */
export async function findBodies(
  files: readonly LocatedFile[],
  question: Question,
  options: FindBodiesOptions,
): Promise<RankedBody[]> {
  const grammars = await options.loadGrammars();
  const score = async (at: {
    readonly root: ResearchRoot;
    readonly path: string;
    readonly part: LocatedFile["part"];
    readonly rank: number;
    readonly bestLines: readonly number[];
    readonly exactLines: readonly number[];
  }): Promise<AskedFile | undefined> => {
    options.signal.throwIfAborted();
    const source = await options.reader.read(at.root, at.path, options.signal);
    if (source === undefined || source.text === "" || source.text.length > MAX_SCORED_CHARS) return undefined;
    const focus = question.text.slice(0, MAX_FOCUS_CHARS);
    const shouldStop = () => options.signal.aborted;
    const scored = await scoreLines(source.text, {
      focus,
      path: at.path,
      shouldStop,
      ...(grammars ? { grammars } : {}),
    });
    return { ...at, scored };
  };
  const chosen: AskedFile[] = [];
  for (const file of answering(files, question).slice(0, MAX_FILES)) {
    const { root, path, part, lines, ranked } = file;
    const bestLines = lines.map(({ line }) => line);
    const { exactLines } = ranked;
    const one = await score({ root, path, part, rank: chosen.length, bestLines, exactLines });
    if (one !== undefined) chosen.push(one);
  }
  const asked = toAsked(files, question);
  const ranked = rankBodies(chosen, asked);
  for (const hop of hopsFrom(ranked, files, chosen)) {
    const one = await score({ ...hop, part: "implementation", rank: chosen.length, bestLines: [], exactLines: [] });
    if (one !== undefined) chosen.push(one);
  }
  return rankBodies(chosen, asked);
}

/** Files whose code can answer, in the locator's order. */
function answering(files: readonly LocatedFile[], question: Question): readonly LocatedFile[] {
  const readable = files.filter(({ lines }) => lines.length > 0);
  const isCode = ({ part, path }: LocatedFile): boolean =>
    part !== "docs" && part !== "config" && !path.endsWith(".d.ts") && (part !== "tests" || question.asksForTests);
  const code = readable.filter((file) => isCode(file) && !ASIDE.test(file.path));
  return code.length > 0 ? code : readable;
}

/** Where code is shown, checked or measured, not done. */
const ASIDE = /(?:^|\/)(?:testing|benches|benchmarks?|examples?)\//;

function toAsked(files: readonly LocatedFile[], question: Question): AskedQuestion {
  const terms = new Map<string, AskedQuestion["terms"][number]>();
  for (const { ranked } of files) {
    for (const { term, weight, rarity } of ranked.asked)
      if (!terms.has(term)) terms.set(term, { term, weight, rarity });
  }
  return { terms: [...terms.values()], pairs: question.pairs, identifiers: question.identifiers };
}

/** Files that alone define what the best bodies call. */
function hopsFrom(
  ranked: readonly RankedBody[],
  files: readonly LocatedFile[],
  known: readonly AskedFile[],
): { readonly root: ResearchRoot; readonly path: string }[] {
  const hops: { readonly root: ResearchRoot; readonly path: string }[] = [];
  for (const body of ranked.slice(0, CALLERS)) {
    const from = files.find(({ root, path }) => root === body.file.root && path === body.file.path);
    if (from === undefined) continue;
    const { corpus } = from.ranked;
    for (const name of callsOf(body)) {
      if (hops.length >= MAX_HOPS) return hops;
      const definers = corpus.definersOf(name);
      const path = definers.length === 1 ? corpus.pathOf(definers[0] ?? 0) : undefined;
      if (path === undefined || path === "" || [...known, ...hops].some((one) => one.path === path)) continue;
      hops.push({ root: from.root, path });
    }
  }
  return hops;
}
