// How a pasted issue differs from a question: a title, pasted programs and traces, forms that its tracker made. It reads
// the text and never a file.

/** A frame of a pasted trace; `name` is its function, "" where it is not named. */
export interface Frame {
  readonly path: string;
  readonly name: string;
}

const BOILERPLATE =
  /<!--[\s\S]*?(?:-->|$)|- \[[ xX]\] [^\n]{0,200}?(?=- \[|#{2,}|\n|$)|#{2,} *(?:search before asking|code of conduct|are you willing to work[^#\n]{0,60}|what happened\??|expected behaviou?r|observed behaviou?r|environment|version|additional context|steps to reproduce|minimal complete verifiable example|relevant log output|checklist)\b/gi;
const PASTED = /```[\s\S]*?(?:```|$)|Traceback \(most recent call last\)[\s\S]*$/g;
const FRAME =
  /File "([^"\n]+)", line \d+(?:, in ([\w<>]+))?|\bat (?:([\w$.<>]+) )?\(?((?:[\w@.-]*\/)+[\w.-]+):\d+(?::\d+)?\)?|\b((?:[\w@.-]+\/)+[\w.-]+\.[a-z]{1,4}):\d+/g;
const MAX_FRAMES = 60;
const SHORT_CHARS = 200;
const MAX_TITLE_CHARS = 160;

/** The text with what a form put there blanked, so that every place stays. */
export function withoutBoilerplate(text: string): string {
  return text.replace(BOILERPLATE, (found) => found.replace(/[^\n]/g, " "));
}

/** Where the title ends: the first line or sentence of a long text. */
export function titleEnd(text: string): number {
  const line = text.trimEnd().indexOf("\n");
  if (line > 0 && line <= SHORT_CHARS) return line;
  if (text.length <= SHORT_CHARS) return text.length;
  const stop = /(?<=.{25})(?:[.?!:] | ```| #{1,4} | {2})|\n/s.exec(text.slice(0, MAX_TITLE_CHARS));
  return stop === null ? MAX_TITLE_CHARS : stop.index;
}

/** Ranges of pasted code and output. */
export function pastedIn(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(PASTED)].map((found) => [found.index, found.index + found[0].length]);
}

/** The frames of pasted traces, in their order. */
export function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const [, python, pythonName, name, path, plain] of text.matchAll(FRAME)) {
    frames.push({ path: (python ?? path ?? plain ?? "").replaceAll("\\", "/"), name: pythonName ?? name ?? "" });
    if (frames.length >= MAX_FRAMES) break;
  }
  return frames;
}
