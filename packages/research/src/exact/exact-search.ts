// Literals of a question, looked for as they are written in every text file of a root, whatever its size or kind,
// before anything is ranked. One run of ripgrep for all of them.
import { isReferable } from "../catalog/list-files.ts";
import { runRipgrep, treeArguments } from "../catalog/ripgrep.ts";
import type { Literal } from "../words/literals.ts";

/** Where one literal stands: paths, each with its first lines (1-based). */
export type Places = ReadonlyMap<string, readonly number[]>;

/** What ripgrep found of the literals of a question in one root. */
export interface ExactHits {
  /** By the literal's text; without those that stand in too many files to tell anything. */
  readonly places: ReadonlyMap<string, Places>;
  /** Literals that occur, those in too many files included. */
  readonly occurring: ReadonlySet<string>;
}

const MAX_LINES_OF_FILE = 50;
const MAX_FILES = 2_000;
const MAX_CHARS = 32_000_000;

/** The hits of each literal in one root. A name that occurs as a whole word is not looked for inside of others. */
export async function searchExact(
  root: string,
  literals: readonly Literal[],
  options: { readonly deny: readonly string[]; readonly signal: AbortSignal },
): Promise<ExactHits> {
  if (literals.length === 0) return { places: new Map(), occurring: new Set() };
  const whole = literals.map((): Map<string, number[]> => new Map());
  const parts = literals.map((): Map<string, number[]> => new Map());
  await runRipgrep(root, [...SEARCH, ...treeArguments(root, options.deny), ...literals.flatMap(toPattern), "."], {
    ...options,
    maxChars: MAX_CHARS,
    onLine(output) {
      const m = /^(?:\.\/)?([^\0]+)\0(\d+):(.*)$/s.exec(output);
      const [path, line, match] = [m?.[1] ?? "", Number(m?.[2]), m?.[3] ?? ""];
      if (m === null || !isReferable(path)) return true;
      literals.forEach((literal, n) => {
        const at = match.indexOf(literal.text);
        if (at < 0) return;
        note(isWhole(match, at, literal) ? whole[n] : parts[n], path, line);
      });
      return true;
    },
  });
  const places = new Map<string, Places>();
  const occurring = new Set<string>();
  literals.forEach(({ text }, n) => {
    const found = whole[n]?.size === 0 ? parts[n] : whole[n];
    if (found === undefined || found.size === 0) return;
    occurring.add(text);
    if (found.size <= MAX_FILES) places.set(text, found);
  });
  return { places, occurring };
}

const SEARCH = [
  "--only-matching",
  "--null",
  "--line-number",
  "--no-heading",
  "--with-filename",
  "--color=never",
  `--max-count=${MAX_LINES_OF_FILE}`,
];

/**
 * As it is written; of a name also the characters beside it, which tell whether it is a whole word. A phrase takes the
 * one before it, too: else the name that it begins with would match one character earlier and hide it.
 */
function toPattern({ text, isName }: Literal): string[] {
  const escaped = text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&");
  return ["-e", isName ? `.?${escaped}.?` : `.?${escaped}`];
}

const WORD = /[\p{L}\p{N}\p{M}_$]/u;

function isWhole(match: string, at: number, { text, isName }: Literal): boolean {
  if (!isName) return true;
  const [before, after] = [match.slice(0, at).at(-1) ?? "", match.slice(at + text.length).at(0) ?? ""];
  return !WORD.test(before) && !WORD.test(after);
}

function note(into: Map<string, number[]> | undefined, path: string, line: number): void {
  const lines = into?.get(path);
  if (lines === undefined) into?.set(path, [line]);
  else if (lines.at(-1) !== line) lines.push(line);
}
