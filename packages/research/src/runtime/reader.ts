// Every byte that a role quotes comes through here: one budget of files and bytes over the whole question (C-21, X-33),
// confined to the root, with the deny list. A file is read once and charged once.
import { type Root, readTextFile, WorkspaceError } from "@jeeves/workspace";
import type { ResearchRoot } from "../roots.ts";

/** The budget of one question: files, bytes of all files together, and bytes of one file. */
interface ReaderOptions {
  readonly maxFilesRead: number;
  readonly maxBytesRead: number;
  readonly maxFileBytes: number;
  readonly deny: readonly string[];
  /** Loaded with the first file; keeps line ends, so that every line keeps its number. */
  redact(text: string): Promise<string>;
}

/** What was read of a file. */
export interface SourceText {
  readonly root: ResearchRoot;
  readonly path: string;
  /** Without its secrets: nothing that is quoted from here can hold one. */
  readonly text: string;
  /** The text goes on beyond what the limits allowed. */
  readonly truncated: boolean;
}

/** Reads files within a budget. */
export interface Reader {
  /** undefined: it is gone, it is no text, or the budget does not allow it. */
  read(root: ResearchRoot, path: string, signal: AbortSignal): Promise<SourceText | undefined>;
  readonly filesRead: number;
  readonly bytesRead: number;
  /** Files that were wanted and that the budget refused. */
  readonly refused: number;
}

/** A reader for one question. What a file was when it was first read is what every later read gives. */
export function createReader(options: ReaderOptions): Reader {
  const known = new Map<string, Promise<SourceText | undefined>>();
  let files = 0;
  let bytes = 0;
  let refused = 0;

  const readOnce = async (root: ResearchRoot, path: string, signal: AbortSignal): Promise<SourceText | undefined> => {
    const left = options.maxBytesRead - bytes;
    if (files >= options.maxFilesRead || left <= 0) {
      refused++;
      return undefined;
    }
    files++;
    const maxBytes = Math.min(left, options.maxFileBytes);
    bytes += maxBytes; // held back while it is read, so that readers side by side cannot overdraw
    let used = 0;
    try {
      const from: Root = { path: root.path };
      const file = await readTextFile(from, path, { maxBytes, deny: options.deny, signal });
      used = file.bytes;
      if (file.truncated) refused++;
      // A cut may go through a line; half a line is no quote.
      const text = file.truncated ? file.content.slice(0, file.content.lastIndexOf("\n") + 1) : file.content;
      return { root, path, text: await options.redact(text), truncated: file.truncated };
    } catch (error) {
      if (error instanceof WorkspaceError) return undefined;
      throw error;
    } finally {
      bytes -= maxBytes - used;
    }
  };

  return {
    async read(root, path, signal) {
      signal.throwIfAborted();
      const key = `${root.path}\0${path}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const reading = readOnce(root, path, signal);
      known.set(key, reading);
      return reading;
    },
    get filesRead() {
      return files;
    },
    get bytesRead() {
      return bytes;
    },
    get refused() {
      return refused;
    },
  };
}
