// By which tokens a file is found in the store.
import { isName } from "../catalog/file-kind.ts";
import { token } from "../store/corpus-store.ts";
import type { ScannedFile } from "../store/scanned-file.ts";
import { termId, termIdsIn, wholeId } from "../words/term-ids.ts";
import { namesOf } from "./corpus.ts";
import { importKey, segmentsOf } from "./imports.ts";

/** From so many times on, a term is often. */
const OFTEN = 4;

/** The tokens of a file, each once. */
export function tokensOf(path: string, scanned: ScannedFile): string[] {
  const times = new Map<number, number>();
  scanned.rowTerm.forEach((term, r) => {
    times.set(term, (times.get(term) ?? 0) + (scanned.rowCount[r] ?? 0));
  });
  const tokens = new Set<string>();
  for (const [term, count] of times) {
    tokens.add(token.text(term));
    if (count >= OFTEN) tokens.add(token.often(term));
  }
  for (const term of termIdsIn(path.replace(/\.[^./]+$/, ""))) tokens.add(token.path(term));
  for (const { name } of scanned.scopes) {
    for (const term of namesOf(name)) tokens.add(token.scope(term));
    if (isName(name)) tokens.add(token.defines(wholeId(name)));
  }
  for (const { name } of scanned.constants) tokens.add(token.defines(wholeId(name)));
  for (const words of scanned.imports) {
    const key = importKey(words, path);
    if (key !== undefined) tokens.add(token.imports(termId(key)));
  }
  tokens.add(token.module(wholeId(segmentsOf(path).at(-1) ?? "")));
  return [...tokens];
}
