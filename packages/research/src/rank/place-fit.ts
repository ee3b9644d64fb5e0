// Whether a question names a place to look: a path, a frame of a pasted trace, a module by its dotted name.
import type { CorpusFile } from "../corpus/corpus.ts";
import { segmentsOf } from "../corpus/imports.ts";
import type { Question } from "../words/question.ts";

/** How far the question names this file as a place. */
interface PlaceFit {
  /** 0..1: by its path. */
  readonly named: number;
  /** 0..1: the later a frame, the nearer it is to the fault. */
  readonly traced: number;
  /** A frame's function is defined here. */
  readonly tracedName: number;
  /** 0..1: how much of a dotted name leads here. */
  readonly module: number;
}

const FULL_SEGMENTS = 3;

/** Fits the files of one question. */
export function createPlaceFit({ paths, frames, dotted }: Question): (file: CorpusFile) => PlaceFit {
  const asked = paths.map((path) => path.replace(/^\.?\//, ""));
  const traced = frames.map((frame, n) => ({ ...frame, late: (n + 1) / frames.length }));
  return (file) => {
    let named = 0;
    for (const path of asked) named = Math.max(named, likeness(file.path, path));
    let [frame, name] = [0, 0];
    for (const one of traced) {
      const like = likeness(file.path, one.path);
      if (like > frame || (like > 0 && one.late > frame)) frame = Math.max(frame, like * (0.5 + one.late / 2));
      if (like > 0 && file.scanned.scopes.some((scope) => scope.name === one.name)) name = Math.max(name, one.late);
    }
    let module = 0;
    if (dotted.length > 0) {
      const segments = segmentsOf(file.path);
      for (const words of dotted) module = Math.max(module, leadTo(segments, words));
    }
    return { named, traced: frame, tracedName: name, module };
  };
}

/** 1: one ends with the other; less: they share their last segments, two at least. */
function likeness(path: string, asked: string): number {
  if (path === asked || path.endsWith(`/${asked}`) || asked.endsWith(`/${path}`)) return 1;
  const [a, b] = [path.split("/").reverse(), asked.split("/").reverse()];
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared < 2 ? 0 : shared / Math.max(2, Math.min(a.length, b.length));
}

/** `dask.array.core.f` leads to `dask/array/core.py` by three words of four. */
function leadTo(segments: readonly string[], words: readonly string[]): number {
  let most = 0;
  for (let from = 0; from < words.length - 1; from++) {
    for (let at = 0; at < segments.length; at++) {
      let length = 0;
      while (
        from + length < words.length &&
        at + length < segments.length &&
        segments[at + length] === words[from + length]
      )
        length++;
      if (length >= 2 && at + length === segments.length) most = Math.max(most, Math.min(length, FULL_SEGMENTS));
    }
  }
  return most / FULL_SEGMENTS;
}
