// Where all words occur: in titles, texts and tags of live and archived artefacts, in memory pages, and in log lines; or
// in all that is kept under one id together.
import { parseFront, splitArtefact } from "../artefact/front-matter.ts";
import type { StoredArtefact } from "../haven/store.ts";
import { kindOf } from "../ids.ts";
import { RudderError } from "../rudder-error.ts";
import { unsyncedByTask } from "./memory/unsynced.ts";
import type { TaskSession } from "./session.ts";

/** Where something was found. */
type SearchPlace = "title" | "tags" | "text" | "memory" | "log";

/** One place where all words occur, or the line that says most of what is missing elsewhere under its id. */
interface SearchHit {
  /** Of an artefact, or `project`. */
  readonly id: string;
  readonly place: SearchPlace;
  readonly isArchived: boolean;
  /** In the file, the page or the log, from 1 on. */
  readonly line: number;
  /** The first line with most of the words, as it stands there. */
  readonly text: string;
}

/** What was found, in the order of ids, live work first. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

/** All words must occur under one id: in its title, tags, text, page and log; case does not count. */
export async function search(
  { store }: TaskSession,
  request: { readonly words: readonly string[]; readonly limit?: number | undefined },
): Promise<SearchResult> {
  const words = request.words
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => word !== "")
    .map(fold);
  if (words.length === 0) {
    throw new RudderError("invalid_argument", "no words to look for", { hint: "rudder search header utc" });
  }
  const hits: SearchHit[] = [];
  const kept = new Map<string, Kept>();
  const keptOf = (id: string): Kept => {
    const known = kept.get(id) ?? { texts: [], lines: [] };
    kept.set(id, known);
    return known;
  };
  const look = (stored: StoredArtefact, isArchived: boolean): void => {
    hits.push(...hitsIn(stored, words, isArchived));
    keptOf(stored.id).texts.push(searchedText(stored));
  };
  const { artefacts } = await store.snapshot();
  for (const { id } of artefacts) {
    // Two files with one id are named by deps validate; neither is hidden work that a search could show.
    const stored = await store.artefact(id).catch(skipUnreadable);
    if (stored !== undefined) look(stored, false);
  }
  const archived = new Set(await store.archivedIds());
  for (const id of archived) {
    const stored = await store.archived(id);
    if (stored !== undefined) look(stored, true);
  }
  const noted = await store.notedIds();
  const unsynced = await unsyncedByTask(store, noted);
  for (const id of noted) {
    const page = await store.memory(id);
    const isArchived = archived.has(id);
    const found = page === undefined ? undefined : findLine(page, words);
    if (found !== undefined) hits.push({ id, place: "memory", isArchived, ...found });
    page?.split("\n").forEach((line, at) => {
      const hit = { id, place: "memory", isArchived, line: at + 1, text: line.trim() } as const;
      keptOf(id).lines.push({ folded: fold(line), hit });
    });
    const lines = kindOf(id) === "epic" ? await store.log(id) : (unsynced.get(id) ?? []);
    lines.forEach((line, at) => {
      const owner = line.taskId ?? id;
      const text = [line.message, ...(line.files ?? []), line.snippet ?? "", line.command ?? ""].join(" ");
      const hit = {
        id: owner,
        place: "log",
        isArchived: archived.has(owner),
        line: at + 1,
        text: line.message,
      } as const;
      keptOf(owner).lines.push({ folded: fold(text), hit });
      if (hasAll(fold(text), words)) hits.push(hit);
    });
  }
  const foundIds = new Set(hits.map(({ id }) => id));
  for (const [id, own] of kept) if (!foundIds.has(id)) hits.push(...hitTogether(own, words));
  return { hits: hits.slice(0, request.limit), total: hits.length };
}

/** What is kept under one id, folded: its artefact, and the lines of its page and its log. */
interface Kept {
  readonly texts: string[];
  readonly lines: { readonly folded: string; readonly hit: SearchHit }[];
}

/** The first line with most of what the artefact itself does not say, where all words occur somewhere under the id. */
function hitTogether({ texts, lines }: Kept, words: readonly string[]): SearchHit[] {
  if (!hasAll([...texts, ...lines.map(({ folded }) => folded)].join("\n"), words)) return [];
  const missing = words.filter((word) => !texts.some((text) => text.includes(word)));
  const counts = lines.map(({ folded }) => missing.filter((word) => folded.includes(word)).length);
  const best = lines[counts.indexOf(Math.max(...counts))];
  return best === undefined ? [] : [best.hit];
}

function skipUnreadable(error: unknown): undefined {
  if (error instanceof RudderError) return undefined;
  throw error;
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function hasAll(folded: string, words: readonly string[]): boolean {
  return words.every((word) => folded.includes(word));
}

function hitsIn(stored: StoredArtefact, words: readonly string[], isArchived: boolean): SearchHit[] {
  const { id, text, artefact } = stored;
  const parts = splitArtefact(text);
  const body = text.slice(parts.bodyStart);
  const tags = artefact.tags.join(", ");
  if (!hasAll(searchedText(stored), words)) return [];
  const at = (place: SearchPlace, line: number, shown: string): SearchHit[] => [
    { id, place, isArchived, line, text: shown },
  ];
  if (hasAll(fold(artefact.title), words)) return at("title", fieldLine(text, "title"), artefact.title);
  if (hasAll(fold(tags), words)) return at("tags", fieldLine(text, "tags"), tags);
  const before = text.slice(0, parts.bodyStart).split("\n").length - 1;
  const best = bestLine(body, words);
  if (best !== undefined) return at("text", before + best.line, best.text);
  return at("title", parseFront(parts).ok ? fieldLine(text, "title") : 1, artefact.title);
}

function searchedText({ text, artefact }: StoredArtefact): string {
  const body = text.slice(splitArtefact(text).bodyStart);
  return fold(`${artefact.title}\n${artefact.tags.join(", ")}\n${body}`);
}

function fieldLine(text: string, name: string): number {
  const at = text.split("\n").findIndex((line) => line.startsWith(`${name}:`));
  return at < 0 ? 1 : at + 1;
}

function findLine(
  text: string,
  words: readonly string[],
): { readonly line: number; readonly text: string } | undefined {
  return hasAll(fold(text), words) ? bestLine(text, words) : undefined;
}

/** The first of those lines that hold most of the words. */
function bestLine(
  text: string,
  words: readonly string[],
): { readonly line: number; readonly text: string } | undefined {
  let best: { line: number; text: string; count: number } | undefined;
  text.split("\n").forEach((line, at) => {
    const folded = fold(line);
    const count = words.filter((word) => folded.includes(word)).length;
    if (count > (best?.count ?? 0)) best = { line: at + 1, text: line.trim(), count };
  });
  return best === undefined ? undefined : { line: best.line, text: best.text };
}
